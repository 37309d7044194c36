import { isKernelError, type Process, type Sys, type Termios } from "../../../kernel/index.ts";

/** The terminal of a process, which may pass on every byte for a while. */
export class RawTerminal {
  readonly #sys: Sys;
  readonly #process: Process;
  #saved: Termios | undefined;

  constructor(sys: Sys, process: Process) {
    this.#sys = sys;
    this.#process = process;
  }

  /** In the background this stops the process, as for any other. */
  async set(isRaw: boolean): Promise<void> {
    if (!isRaw) return this.restore();
    if (this.#saved !== undefined || !this.#isControlled) return undefined;
    try {
      const saved = await this.#sys.ioctl(0, { request: "TCGETS" });
      if (typeof saved !== "object" || !("lflag" in saved)) return undefined;
      this.#saved = saved;
      await this.#sys.ioctl(0, { request: "TCSETS", termios: rawOf(saved) });
    } catch (error) {
      // Whether it has happened or not: a process that is gone leaves the terminal as it was.
      this.restore();
      if (!isKernelError(error)) throw error;
    }
    return undefined;
  }

  /** At once, and by a process that is gone, too. */
  restore(): void {
    const saved = this.#saved;
    this.#saved = undefined;
    const { terminal } = this.#process.session;
    if (saved !== undefined && terminal !== undefined) terminal.termios = saved;
  }

  /** Whether fd 0 is the terminal of the process's session. */
  get #isControlled(): boolean {
    const { session, fds } = this.#process;
    if (session.terminal === undefined) return false;
    return fds.find(0)?.describe() === `/dev/pts/${session.terminal.number}`;
  }
}

/** As cfmakeraw(3) does. */
function rawOf(termios: Termios): Termios {
  const { iflag, oflag, lflag, cc } = termios;
  return {
    ...termios,
    iflag: { ...iflag, ICRNL: false, INLCR: false, IGNCR: false, ISTRIP: false, IXON: false },
    oflag: { ...oflag, OPOST: false },
    lflag: { ...lflag, ECHO: false, ECHONL: false, ICANON: false, ISIG: false, IEXTEN: false },
    cc: { ...cc, VMIN: 1, VTIME: 0 },
  };
}

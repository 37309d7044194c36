/** The terminal a line is edited on: its settings, its keys as bytes, its size. */
import { isKernelError, POLLIN, signals, type Termios } from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";
import type { ScreenSize } from "./screen.ts";

/** A byte, or why there is none. */
export type ReadByte = number | "end" | "timeout";

const FALLBACK_SIZE: ScreenSize = { rows: 24, columns: 80 };

export class EditorTerminal {
  readonly #shell: Shell;
  readonly #fd: number;
  readonly #byte = new Uint8Array(1);
  #saved: Termios | undefined;
  /** Called for signals that come while waiting for a key; may throw to give the line up. */
  onSignals: (() => Promise<void>) | undefined;

  constructor(shell: Shell, fd = 0) {
    this.#shell = shell;
    this.#fd = fd;
  }

  /** Keys come one by one and unseen; Ctrl-C still is a signal. */
  async enter(): Promise<void> {
    const { sys } = this.#shell;
    const settings = await sys.ioctl(this.#fd, { request: "TCGETS" });
    if (typeof settings !== "object" || !("lflag" in settings)) return;
    this.#saved = settings;
    const { iflag, lflag, cc } = settings;
    const termios: Termios = {
      ...settings,
      iflag: { ...iflag, ICRNL: false, INLCR: false, IXON: false },
      lflag: { ...lflag, ICANON: false, ECHO: false, IEXTEN: false },
      cc: { ...cc, VMIN: 1, VTIME: 0 },
    };
    await sys.sigaction(signals.SIGWINCH, "catch");
    await sys.ioctl(this.#fd, { request: "TCSETS", termios });
  }

  /** The settings as they were, for the commands. */
  async leave(): Promise<void> {
    const { sys, traps } = this.#shell;
    const termios = this.#saved;
    this.#saved = undefined;
    if (termios !== undefined) await this.#ask({ request: "TCSETS", termios });
    if (!traps.caughtSignals.includes(signals.SIGWINCH))
      await sys.sigaction(signals.SIGWINCH, "default");
  }

  async size(): Promise<ScreenSize> {
    const size = await this.#ask({ request: "TIOCGWINSZ" });
    if (typeof size !== "object" || !("cols" in size)) return FALLBACK_SIZE;
    return {
      rows: size.rows > 0 ? size.rows : FALLBACK_SIZE.rows,
      columns: size.cols > 0 ? size.cols : FALLBACK_SIZE.columns,
    };
  }

  /** Whether a key has been typed already. */
  async hasInput(): Promise<boolean> {
    const count = await this.#ask({ request: "FIONREAD" });
    return typeof count === "number" && count > 0;
  }

  /** One byte, no more: what follows the line is the next command's input. */
  async readByte(timeoutMs?: number): Promise<ReadByte> {
    const { sys } = this.#shell;
    for (;;) {
      try {
        if (timeoutMs !== undefined && !(await this.#isReady(timeoutMs))) return "timeout";
        const count = await sys.read(this.#fd, this.#byte);
        return count === 0 ? "end" : (this.#byte[0] ?? 0);
      } catch (error) {
        if (isKernelError(error, "EIO")) return "end";
        if (!isKernelError(error, "EINTR")) throw error;
        await this.onSignals?.();
      }
    }
  }

  async #isReady(timeoutMs: number): Promise<boolean> {
    const requests = [{ fd: this.#fd, events: POLLIN }];
    const [found = 0] = await this.#shell.sys.poll(requests, timeoutMs);
    return found !== 0;
  }

  /** The signals that have come of those the editor minds. */
  async takeSignals(): Promise<ReadonlySet<number>> {
    const { sys, traps } = this.#shell;
    const own = [signals.SIGINT, signals.SIGHUP, signals.SIGWINCH];
    const minded = [...new Set([...own, ...traps.caughtSignals])];
    const taken = new Set<number>();
    for (;;) {
      const signal = await sys.sigtimedwait(minded, 0);
      if (signal === undefined) return taken;
      taken.add(signal);
    }
  }

  /** A terminal that is gone shows nothing; that it is gone is told by its signal and its end. */
  async write(text: string): Promise<void> {
    if (text === "") return;
    try {
      await this.#shell.write(2, text);
    } catch (error) {
      if (!isKernelError(error, "EIO")) throw error;
    }
  }

  async #ask(request: Parameters<Shell["sys"]["ioctl"]>[1]) {
    try {
      return await this.#shell.sys.ioctl(this.#fd, request);
    } catch (error) {
      if (isKernelError(error)) return undefined;
      throw error;
    }
  }
}

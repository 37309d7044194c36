import {
  decodeText,
  isKernelError,
  O_CLOEXEC,
  O_RDWR,
  POLLIN,
  type Sys,
  signals,
  type Termios,
} from "../../kernel/index.ts";

/** Keys of a terminal, one at a time. */
export class Keyboard {
  readonly #sys: Sys;
  readonly #fd: number;
  readonly #saved: Termios;
  #pending = "";

  private constructor(sys: Sys, fd: number, saved: Termios) {
    this.#sys = sys;
    this.#fd = fd;
    this.#saved = saved;
  }

  /** Undefined where there is no terminal to ask. */
  static async open(sys: Sys): Promise<Keyboard | undefined> {
    try {
      const fd = await sys.open("/dev/tty", O_RDWR | O_CLOEXEC);
      const saved = await sys.ioctl(fd, { request: "TCGETS" });
      if (typeof saved !== "object" || !("lflag" in saved)) return undefined;
      const keyboard = new Keyboard(sys, fd, saved);
      await keyboard.#set({
        ...saved,
        lflag: { ...saved.lflag, ICANON: false, ECHO: false },
        cc: { ...saved.cc, VMIN: 1, VTIME: 0 },
      });
      return keyboard;
    } catch (error) {
      if (isKernelError(error)) return undefined;
      throw error;
    }
  }

  /** The terminal as it was before. */
  async close(): Promise<void> {
    await this.#set(this.#saved);
    await this.#sys.close(this.#fd);
  }

  /**
   * A character, or an escape sequence; "" where a signal came or the time was up, undefined at the
   * end. A negative time waits for ever.
   */
  async key(timeoutMs = -1): Promise<string | undefined> {
    if (this.#pending === "" && timeoutMs >= 0 && !(await this.#hasInput(timeoutMs))) return "";
    if (this.#pending === "") {
      const buffer = new Uint8Array(256);
      try {
        const count = await this.#sys.read(this.#fd, buffer);
        if (count === 0) return undefined;
        this.#pending = decodeText(buffer.subarray(0, count));
      } catch (error) {
        if (!isKernelError(error, "EINTR")) throw error;
        await this.#takeSignals();
        return "";
      }
    }
    // oxlint-disable-next-line no-control-regex -- an escape sequence starts with a control character
    const key = /^\u001B(?:\[[\d;]*[A-Za-z~]|O[A-Za-z]|.)?|^./su.exec(this.#pending)?.[0] ?? "";
    this.#pending = this.#pending.slice(key.length);
    return key;
  }

  async #hasInput(timeoutMs: number): Promise<boolean> {
    try {
      const [events = 0] = await this.#sys.poll([{ fd: this.#fd, events: POLLIN }], timeoutMs);
      return events !== 0;
    } catch (error) {
      if (!isKernelError(error, "EINTR")) throw error;
      await this.#takeSignals();
      return false;
    }
  }

  /** A caught signal interrupts until it is fetched. */
  async #takeSignals(): Promise<void> {
    const caught = [signals.SIGINT, signals.SIGWINCH];
    while ((await this.#sys.sigtimedwait(caught, 0)) !== undefined);
  }

  async #set(termios: Termios): Promise<void> {
    await this.#sys.ioctl(this.#fd, { request: "TCSETS", termios });
  }
}

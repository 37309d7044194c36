import type { Terminal } from "@xterm/headless";
import type { WindowSize } from "../../kernel/index.ts";
import type { ScreenView } from "../wire/messages.ts";

/** No screen has so many rows or columns: a larger count is work without a result. */
const LARGEST_COUNT = 9999;
/** What repeats as often as its parameter says: REP, CHT, CBT, IL, DL, SU, SD, see ctlseqs of xterm. */
const REPEATING = ["b", "I", "Z", "L", "M", "S", "T"];
/** Marks on one character beyond what any script has: the emulator would keep them all. */
const MARKS = /([\p{M}\p{Cf}]{8})[\p{M}\p{Cf}]+/gu;

/**
 * What a person would see of a terminal. What is written to it comes from a guest, so nothing here takes more time
 * or memory than its size allows.
 */
export class TerminalScreen {
  readonly #emulator: Terminal;
  readonly #decoder = new TextDecoder();

  /** Loads the emulator with the first screen of a VM. `reply` types what the terminal answers to questions. */
  static async open(size: WindowSize, reply: (bytes: Uint8Array) => void): Promise<TerminalScreen> {
    const { default: xterm } = await import("@xterm/headless");
    return new TerminalScreen(
      new xterm.Terminal({ ...size, scrollback: 0, allowProposedApi: true }),
      reply,
    );
  }

  private constructor(emulator: Terminal, reply: (bytes: Uint8Array) => void) {
    this.#emulator = emulator;
    emulator.onData((text) => reply(new TextEncoder().encode(text)));
    for (const final of REPEATING) {
      emulator.parser.registerCsiHandler({ final }, ([count]) => isTooLarge(count));
    }
  }

  /** Resolves when the screen shows it. */
  async write(bytes: Uint8Array): Promise<void> {
    const text = this.#decoder.decode(bytes, { stream: true }).replace(MARKS, "$1");
    await new Promise<void>((resolve) => this.#emulator.write(text, resolve));
  }

  resize({ cols, rows }: WindowSize): void {
    this.#emulator.resize(cols, rows);
  }

  view(): ScreenView {
    const { active } = this.#emulator.buffer;
    const lines = Array.from({ length: this.#emulator.rows }, (_, row) => {
      return active.getLine(active.baseY + row)?.translateToString(true) ?? "";
    });
    const last = lines.findLastIndex((line) => line !== "");
    const text = lines.slice(0, last + 1).join("\n");
    return { text, row: active.cursorY + 1, column: active.cursorX + 1 };
  }

  close(): void {
    this.#emulator.dispose();
  }
}

function isTooLarge(count: number | number[] | undefined): boolean {
  return typeof count === "number" && count > LARGEST_COUNT;
}

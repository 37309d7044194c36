import type { Sys } from "../../kernel/index.ts";
import type { ToolEvent } from "../tool-event.ts";
import { plainText } from "./plain-text.ts";
import { writeText } from "./write-all.ts";

/** Characters of a progress line, so that it stays one line of a terminal. */
const PROGRESS_LENGTH = 76;
const MESSAGE_LENGTH = 1000;

/** What a call says beside its result, on fd 2: hints always, progress on a terminal. */
export class EventMessages {
  readonly #sys: Sys;
  readonly #name: string;
  readonly #isTerminal: boolean;
  #isProgressShown = false;

  constructor(sys: Sys, name: string, isTerminal: boolean) {
    this.#sys = sys;
    this.#name = name;
    this.#isTerminal = isTerminal;
  }

  async show(event: ToolEvent): Promise<void> {
    if (event.type === "progress") {
      if (this.#isTerminal) await this.#showProgress(event);
      return;
    }
    await this.#clear();
    // Whoever runs the command tells of approvals; stderr would keep it for good.
    if (event.type !== "hint") return;
    const message = plainText(event.message).slice(0, MESSAGE_LENGTH);
    await writeText(this.#sys, 2, `${this.#name}: ${message}\n`);
  }

  async #showProgress(event: ToolEvent & { type: "progress" }): Promise<void> {
    const { done, total } = event;
    const count =
      done === undefined ? "" : total === undefined ? ` (${done})` : ` (${done}/${total})`;
    const line = `${plainText(event.message)}${count}`.slice(0, PROGRESS_LENGTH);
    this.#isProgressShown = true;
    await writeText(this.#sys, 2, `\r\u001b[K${line}`);
  }

  async #clear(): Promise<void> {
    if (!this.#isProgressShown) return;
    this.#isProgressShown = false;
    await writeText(this.#sys, 2, "\r\u001b[K");
  }
}

import type { Shell } from "../state/shell.ts";
import type { LineSource, SourceLine } from "./read-command.ts";

/** The lines of a text; where `isEchoed`, each is shown as it is taken, as `set -v` does. */
export class TextSource implements LineSource {
  readonly #lines: readonly string[];
  readonly #echo: Shell | undefined;
  #at = 0;
  #dropped = 0;

  constructor(text: string, echo?: Shell) {
    this.#lines = text.split(/(?<=\n)/);
    this.#echo = echo;
  }

  /** How many lines have been taken and run. */
  get taken(): number {
    return this.#at - this.#dropped;
  }

  drop(): void {
    this.#dropped += 1;
  }

  async next(): Promise<SourceLine | undefined> {
    const line = this.#lines[this.#at];
    if (line === undefined || line === "") return undefined;
    this.#at += 1;
    await this.#echo?.write(2, line.endsWith("\n") ? line : `${line}\n`);
    const isWhole = line.endsWith("\n");
    return { text: isWhole ? line.slice(0, -1) : line, isWhole };
  }
}

/** The commands that print. */
import { encodeText } from "../../../kernel/index.ts";
import type { Action } from "./command.ts";
import type { SedInput } from "./input.ts";
import { listLine } from "./list-line.ts";
import type { LineOutput, OutputFiles } from "./outputs.ts";
import type { Spaces } from "./spaces.ts";

export interface PrintParts {
  readonly input: SedInput;
  readonly files: OutputFiles;
  /** Where lines go now: in place it changes from file to file. */
  readonly out: () => LineOutput;
}

export class SpacePrinter {
  readonly #spaces: Spaces;
  readonly #parts: PrintParts;
  readonly #width: number;

  /** `width` is that of `l`. */
  constructor(spaces: Spaces, parts: PrintParts, width: number) {
    this.#spaces = spaces;
    this.#parts = parts;
    this.#width = width;
  }

  perform(action: Extract<Action, { name: "i" | "w" | "W" | "l" | "=" | "F" | "p" | "P" }>): void {
    const out = this.#parts.out();
    switch (action.name) {
      case "i":
        out.addBytes(action.text);
        return;
      case "w":
        this.printTo(action.file);
        return;
      case "W":
        this.#parts.files.get(action.file)?.addLine(this.#spaces.firstLine(), true);
        return;
      case "l": {
        const width = action.number === -1 ? this.#width : action.number;
        out.addBytes(encodeText(listLine(this.#spaces.pattern.view(), width)));
        return;
      }
      case "=":
        out.addBytes(encodeText(`${this.#parts.input.lineNumber}\n`));
        return;
      case "F":
        out.addBytes(encodeText(`${this.#parts.input.fileName}\n`));
        return;
      case "p":
        this.print();
        return;
      case "P":
        out.addLine(this.#spaces.firstLine(), true);
    }
  }

  print(): void {
    this.#print(this.#parts.out());
  }

  printTo(file: string): void {
    const out = this.#parts.files.get(file);
    if (out !== undefined) this.#print(out);
  }

  #print(out: LineOutput): void {
    const { pattern, hasDelimiter } = this.#spaces;
    const { bytes, start, end, isBlock } = pattern;
    if (isBlock && hasDelimiter && end < bytes.length) out.addFromBlock(bytes, start, end + 1);
    else out.addLine(pattern.view(), hasDelimiter);
  }
}

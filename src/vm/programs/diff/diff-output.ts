/** Lines of a diff: their flags, colours and tabs. */
import type { Output } from "../output.ts";
import type { Settings } from "./settings.ts";
import type { TextLines } from "./text-lines.ts";

export type Color = "header" | "hunk" | "removed" | "added" | "none";

/** The palette's letters. */
const letters: Readonly<Record<Color, string>> = {
  header: "hd",
  hunk: "ln",
  removed: "de",
  added: "ad",
  none: "",
};

export class DiffOutput {
  readonly out: Output;
  readonly settings: Settings;

  constructor(out: Output, settings: Settings) {
    this.out = out;
    this.settings = settings;
  }

  /** Text in a colour; a newline at its end comes after the colour's. */
  paint(text: string, color: Color): void {
    const hasNewline = text.endsWith("\n");
    this.begin(color);
    this.out.addText(hasNewline ? text.slice(0, -1) : text);
    this.end(color);
    if (hasNewline) this.out.addByte(10);
  }

  /** `flag`, a space or tab, and the line; as GNU's print_1_line does. */
  async line(flag: string, lines: TextLines, line: number, color: Color = "none"): Promise<void> {
    const { settings, out } = this;
    const isBlank = settings.suppressesBlankEmpty && lines.text(line).length === 0;
    const gap = flag === "" ? "" : settings.startsWithTab ? "\t" : " ";
    this.begin(color);
    out.addText(isBlank ? flag.trimEnd() : `${flag}${gap}`);
    await this.text(lines, line, color);
  }

  /** Unified lines: the flag stands before the line, a tab only where asked for. */
  async unifiedLine(flag: string, lines: TextLines, line: number, color: Color): Promise<void> {
    const { settings, out } = this;
    const isBlank = lines.text(line).length === 0;
    this.begin(color);
    if (flag !== " ") out.addText(flag);
    else if (!settings.startsWithTab && !(settings.suppressesBlankEmpty && isBlank))
      out.addText(" ");
    if (settings.startsWithTab && !(settings.suppressesBlankEmpty && isBlank)) out.addText("\t");
    await this.text(lines, line, color);
  }

  begin(color: Color): void {
    if (color !== "none") this.#sgr(letters[color]);
  }

  end(color: Color): void {
    if (color !== "none") this.#sgr("rs");
  }

  #sgr(letter: string): void {
    const code = this.settings.palette?.get(letter);
    if (code !== undefined) this.out.addText(`\u001b[${code}m`);
  }

  /** The line's text, the end of its colour, its newline or that there is none. */
  async text(lines: TextLines, line: number, color: Color): Promise<void> {
    const text = lines.text(line);
    if (this.settings.expandsTabs) this.#expanded(text);
    else this.out.add(text);
    this.end(color);
    this.out.addText(lines.hasNewline(line) ? "\n" : "\n\\ No newline at end of file\n");
    if (this.out.isFull) await this.out.flush();
  }

  #expanded(text: Uint8Array): void {
    const { tabSize } = this.settings.rules;
    let column = 0;
    for (const byte of text) {
      if (byte === 9) {
        do this.out.addByte(32);
        while (++column % tabSize !== 0);
        continue;
      }
      this.out.addByte(byte);
      if (byte === 8) column = Math.max(0, column - 1);
      else if (byte === 13) column = 0;
      else if (byte >= 32 && byte !== 127) column += 1;
    }
  }
}

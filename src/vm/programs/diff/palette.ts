/** diff's `--palette`: SGR sequences by their two letters. */

export type Palette = ReadonlyMap<string, string>;

/** GNU's. */
export const defaultPalette: Palette = new Map([
  ["rs", "0"],
  ["hd", "1"],
  ["ad", "32"],
  ["de", "31"],
  ["ln", "36"],
]);

/** A palette over GNU's, or what is wrong with it, line by line. */
export function readPalette(text: string): Palette | readonly string[] {
  const palette = new Map(defaultPalette);
  for (const part of text.split(":")) {
    if (part === "") continue;
    const [, name, value] = /^([a-z][a-z])=([\d;]*)$/.exec(part) ?? [];
    if (name === undefined || value === undefined) return [UNPARSABLE];
    if (!palette.has(name)) return [`unrecognized prefix: ${name}`, UNPARSABLE];
    palette.set(name, value);
  }
  return palette;
}

const UNPARSABLE = "unparsable value for --palette";

/** One hunk of a patch, whatever format it came in. Lines hold their newlines. */
export interface HunkLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

export interface Hunk {
  /** The first line it stands for in each file; that before which to insert where it takes none. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly HunkLine[];
  /** What stood behind the second `@@`. */
  readonly section: string;
}

export function oldLines({ lines }: Hunk): string[] {
  return lines.filter(({ sign }) => sign !== "+").map(({ text }) => text);
}

export function newLines({ lines }: Hunk): string[] {
  return lines.filter(({ sign }) => sign !== "-").map(({ text }) => text);
}

/** How many unchanged lines it begins and ends with. */
export function contextOf({ lines }: Hunk): { readonly prefix: number; readonly suffix: number } {
  const prefix = lines.findIndex(({ sign }) => sign !== " ");
  const last = lines.findLastIndex(({ sign }) => sign !== " ");
  return prefix === -1
    ? { prefix: lines.length, suffix: lines.length }
    : { prefix, suffix: lines.length - 1 - last };
}

/** The hunk that takes back what this one does. */
export function reverseHunk({ oldStart, newStart, lines, section }: Hunk): Hunk {
  const reversed: HunkLine[] = [];
  let added: HunkLine[] = [];
  const turned = { "-": "+", "+": "-", " ": " " } as const;
  for (const { sign, text } of lines) {
    const line = { sign: turned[sign], text };
    if (line.sign === "+") added.push(line);
    else {
      if (line.sign === " ") {
        reversed.push(...added);
        added = [];
      }
      reversed.push(line);
    }
  }
  return { oldStart: newStart, newStart: oldStart, lines: [...reversed, ...added], section };
}

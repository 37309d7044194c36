/** A patch file as one patch for each file it changes. */
import type { Hunk } from "./hunk.ts";
import {
  isNormalHead,
  isUnifiedHead,
  MalformedPatchError,
  PatchLines,
  parseContext,
  parseNormal,
  parseUnified,
} from "./parse-hunks.ts";

export type PatchFormat = "unified" | "context" | "normal";

export interface HeaderName {
  readonly name: string;
  /** The time it names is 1970's first second: the file does not exist on that side. */
  readonly isEpoch: boolean;
  /** Name and time, as they stood. */
  readonly text: string;
}

export interface GitHeader {
  readonly oldName: string;
  readonly newName: string;
  readonly renameFrom?: string;
  readonly renameTo?: string;
  readonly isCopy: boolean;
  readonly oldMode?: number;
  readonly newMode?: number;
  readonly isNew: boolean;
  readonly isDeleted: boolean;
  readonly isBinary: boolean;
}

export interface FilePatch {
  readonly format: PatchFormat;
  readonly old: HeaderName | undefined;
  readonly new: HeaderName | undefined;
  readonly index: string | undefined;
  readonly git: GitHeader | undefined;
  readonly hunks: readonly Hunk[];
  /** The lines before the first hunk, and the number of the line that starts it. */
  readonly leading: readonly string[];
  readonly line: number;
  /** Its lines ended with CR LF, and do so no more. */
  readonly hadReturns: boolean;
  /** Why it cannot be read to its end. */
  readonly error: MalformedPatchError | undefined;
}

/**
 * What the patch says of a side's file: that it is there, that it has no lines, or that it is not there.
 * GNU patch creates the file that is missing for both of the last two.
 */
export function describeSide(
  { old, new: fresh, hunks: [first], git, format }: FilePatch,
  side: "old" | "new",
): "there" | "empty" | "absent" {
  if (side === "old" ? git?.isNew === true : git?.isDeleted === true) return "absent";
  if (first === undefined || format === "normal") return "there";
  const hasLines = first.lines.some(({ sign }) => sign !== (side === "old" ? "+" : "-"));
  const start = side === "old" ? first.oldStart : first.newStart;
  if (hasLines || start > 1) return "there";
  const name = side === "old" ? old : fresh;
  return name?.isEpoch === true ? "absent" : "empty";
}

interface Found {
  old?: HeaderName;
  new?: HeaderName;
  index?: string;
  git?: GitHeader;
}

/** All patches of a text. */
export function parsePatch(text: string, keepsReturns: boolean): FilePatch[] {
  let lines = new PatchLines(text);
  const hadReturns = !keepsReturns && /^(?:---|\+\+\+|\*\*\*|Index:) [^\n]*\r$/m.test(text);
  if (hadReturns) lines = new PatchLines(text.replaceAll("\r\n", "\n"));
  const patches: FilePatch[] = [];
  for (;;) {
    const patch = parseNext(lines, hadReturns && patches.length === 0);
    if (patch === undefined) return patches;
    patches.push(patch);
    if (patch.error !== undefined) return patches;
  }
}

function parseNext(lines: PatchLines, hadReturns: boolean): FilePatch | undefined {
  const start = lines.at;
  const found: Found = {};
  const finish = (format: PatchFormat): FilePatch => {
    const line = lines.at + 1;
    const leading = lines.slice(start, lines.at);
    const { hunks, error } = parseHunks(lines, format);
    return {
      format,
      old: found.old,
      new: found.new,
      index: found.index,
      git: found.git,
      hunks,
      leading,
      line,
      hadReturns,
      error,
    };
  };
  for (; lines.peek() !== undefined; lines.at++) {
    const line = lines.peek() ?? "";
    if (line.startsWith("diff --git ")) {
      if (found.git !== undefined) return finish("unified");
      readGit(lines, found);
      continue;
    }
    if (found.git !== undefined && readGitLine(line, found)) continue;
    if (isUnifiedHead(line) && found.new !== undefined) return finish("unified");
    if (line.startsWith("*************") && lines.peek(1)?.startsWith("*** ") === true)
      return finish("context");
    if (isNormalHead(line) && /^[<>] /.test(lines.peek(1) ?? "")) return finish("normal");
    readName(line, lines, found);
  }
  return found.git === undefined ? undefined : finish("unified");
}

function readName(line: string, lines: PatchLines, found: Found): void {
  const isContext = line.startsWith("*** ") && lines.peek(1)?.startsWith("--- ") === true;
  if (isContext) {
    found.old = parseName(line.slice(4));
    found.new = parseName((lines.peek(1) ?? "").slice(4));
    lines.at += 1;
  } else if (line.startsWith("--- ")) found.old = parseName(line.slice(4));
  else if (line.startsWith("+++ ")) found.new = parseName(line.slice(4));
  else if (line.startsWith("Index:")) found.index = parseName(line.slice(6).trimStart()).name;
}

/** A name ends at a tab, or at the first space of a line without one; it may be in quotes. */
function parseName(text: string): HeaderName {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text);
  const end = text.includes("\t") ? text.indexOf("\t") : text.search(/\s/);
  const name =
    quoted === null ? (end === -1 ? text : text.slice(0, end)) : unquote(quoted[1] ?? "");
  const time = text.slice(quoted === null ? Math.max(end, 0) : quoted[0].length).trim();
  const isEpoch =
    name === "/dev/null" || /^(?:1970-01-01 00:00:00|Thu Jan  1 00:00:00 1970)/.test(time);
  return { name, isEpoch, text };
}

function unquote(text: string): string {
  const letters = new Map([
    ["n", "\n"],
    ["t", "\t"],
    ["r", "\r"],
    ["a", "\u0007"],
    ["b", "\b"],
    ["f", "\f"],
    ["v", "\v"],
  ]);
  return text.replace(/\\([0-7]{1,3}|.)/g, (_, one: string) =>
    /^[0-7]/.test(one) ? String.fromCharCode(Number.parseInt(one, 8)) : (letters.get(one) ?? one),
  );
}

function readGit(lines: PatchLines, found: Found): void {
  const rest = (lines.peek() ?? "").slice("diff --git ".length);
  const half = /^(?:a\/)?(.+) (?:b\/)?\1$/.exec(rest);
  const [first = "", second = ""] = half === null ? rest.split(" ") : splitHalf(rest);
  found.git = {
    oldName: first,
    newName: second,
    isCopy: false,
    isNew: false,
    isDeleted: false,
    isBinary: false,
  };
}

function splitHalf(text: string): readonly string[] {
  const middle = (text.length - 1) / 2;
  return text[middle] === " " ? [text.slice(0, middle), text.slice(middle + 1)] : text.split(" ");
}

function readGitLine(line: string, found: Found): boolean {
  const { git } = found;
  if (git === undefined) return false;
  const match =
    /^(old mode|new mode|deleted file mode|new file mode|rename from|rename to|copy from|copy to|similarity index|dissimilarity index|index|GIT binary patch)(?: (.*))?$/.exec(
      line,
    );
  if (match === null) return false;
  const [, key = "", value = ""] = match;
  const mode = Number.parseInt(value, 8) & 0o777;
  if (key === "old mode") found.git = { ...git, oldMode: mode };
  if (key === "new mode") found.git = { ...git, newMode: mode };
  if (key === "new file mode") found.git = { ...git, isNew: true, newMode: mode };
  if (key === "deleted file mode") found.git = { ...git, isDeleted: true };
  if (key.endsWith("from"))
    found.git = { ...git, renameFrom: value, isCopy: key.startsWith("copy") };
  if (key.endsWith("to")) found.git = { ...git, renameTo: value, isCopy: key.startsWith("copy") };
  if (key === "GIT binary patch") found.git = { ...git, isBinary: true };
  return true;
}

function parseHunks(
  lines: PatchLines,
  format: PatchFormat,
): { readonly hunks: readonly Hunk[]; readonly error: MalformedPatchError | undefined } {
  const hunks: Hunk[] = [];
  try {
    for (;;) {
      const line = lines.peek();
      if (format === "unified" && isUnifiedHead(line)) hunks.push(parseUnified(lines));
      else if (format === "context" && line?.startsWith("***************") === true)
        hunks.push(parseContext(lines));
      else if (format === "normal" && isNormalHead(line)) hunks.push(parseNormal(lines));
      else return { hunks, error: undefined };
    }
  } catch (error) {
    if (!(error instanceof MalformedPatchError)) throw error;
    return { hunks, error };
  }
}

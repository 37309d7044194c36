/** Hunks that did not fit, as patch writes them to a `.rej` file. */
import type { Hunk } from "./hunk.ts";
import type { FilePatch } from "./parse-patch.ts";

export interface Reject {
  readonly hunk: Hunk;
  /** Lines the output had more than the input when it failed. */
  readonly offset: number;
}

export function showRejects(
  patch: FilePatch,
  rejects: readonly Reject[],
  isReversed: boolean,
): string {
  const [from, to] = isReversed ? [patch.new, patch.old] : [patch.old, patch.new];
  const [first, second] = patch.format === "unified" ? ["---", "+++"] : ["***", "---"];
  const head = `${first} ${from?.text ?? "/dev/null"}\n${second} ${to?.text ?? "/dev/null"}\n`;
  const body = rejects.map((reject) =>
    patch.format === "unified" ? unified(reject) : context(reject, patch.format === "normal"),
  );
  return `${head}${body.join("")}`;
}

const NO_NEWLINE = "\n\\ No newline at end of file\n";

function unified({ hunk, offset }: Reject): string {
  const oldCount = hunk.lines.filter(({ sign }) => sign !== "+").length;
  const newCount = hunk.lines.filter(({ sign }) => sign !== "-").length;
  const range = (start: number, count: number): string =>
    count === 1 ? String(start) : `${count === 0 ? start - 1 : start},${count}`;
  const lines = hunk.lines.map(({ sign, text }) => `${sign}${endLine(text)}`).join("");
  return `@@ -${range(hunk.oldStart + offset, oldCount)} +${range(hunk.newStart + offset, newCount)} @@${hunk.section}\n${lines}`;
}

function endLine(text: string): string {
  return text.endsWith("\n") ? text : `${text}${NO_NEWLINE}`;
}

function context({ hunk, offset }: Reject, isNormal: boolean): string {
  const old = hunk.lines.filter(({ sign }) => sign !== "+");
  const fresh = hunk.lines.filter(({ sign }) => sign !== "-");
  const range = (start: number, count: number): string =>
    count > 1 ? `${start},${start + count - 1}` : String(count === 0 ? start - 1 : start);
  const isChanged = markChanged(hunk);
  const show = (sign: "-" | "+"): string =>
    hunk.lines
      .map((line, at) => ({ ...line, isBoth: isChanged[at] === true }))
      .filter((line) => line.sign === " " || line.sign === sign)
      .map(({ sign: own, text, isBoth }) => `${isBoth && !isNormal ? "!" : own} ${endLine(text)}`)
      .join("");
  const oldShown = old.some(({ sign }) => sign === "-") ? show("-") : "";
  const newShown = fresh.some(({ sign }) => sign === "+") ? show("+") : "";
  const stars = isNormal ? "" : " ****";
  const dashes = isNormal ? " -----" : " ----";
  return `***************${hunk.section}\n*** ${range(hunk.oldStart + offset, old.length)}${stars}\n${oldShown}--- ${range(hunk.newStart + offset, fresh.length)}${dashes}\n${newShown}`;
}

/** Lines of runs that both take away and add. */
function markChanged({ lines }: Hunk): boolean[] {
  const marks = lines.map(() => false);
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && lines[end]?.sign !== " ") end += 1;
    const run = lines.slice(at, end);
    const isBoth = run.some(({ sign }) => sign === "-") && run.some(({ sign }) => sign === "+");
    for (let place = at; place < end; place++) marks[place] = isBoth;
    at = end + 1;
  }
  return marks;
}

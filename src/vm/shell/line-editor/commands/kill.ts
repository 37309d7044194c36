/** Functions that cut text and bring it back. */
import type { EditCommand, LineEditor } from "../line-editor.ts";
import { isInk, wordEnd, wordStart } from "../words.ts";

export const killCommands: readonly (readonly [string, EditCommand])[] = [
  [
    "kill-line",
    (editor, { count }) =>
      count < 0 ? killToStart(editor) : editor.kill(editor.line.point, lineEnd(editor), "forward"),
  ],
  ["backward-kill-line", killToStart],
  ["unix-line-discard", killToStart],
  ["kill-whole-line", (editor) => editor.kill(0, editor.line.text.length, "forward")],
  ["kill-word", (editor, { count }) => killWords(editor, count)],
  ["shell-kill-word", (editor, { count }) => killWords(editor, count, isInk)],
  ["backward-kill-word", (editor, { count }) => killWords(editor, -count)],
  ["shell-backward-kill-word", (editor, { count }) => killWords(editor, -count, isInk)],
  ["unix-word-rubout", (editor, { count }) => killWords(editor, -count, isInk)],
  [
    "unix-filename-rubout",
    (editor, { count }) =>
      killWords(editor, -count, (character) => isInk(character) && character !== "/"),
  ],
  ["vi-unix-word-rubout", (editor, { count }) => killWords(editor, -count, isInk)],
  ["kill-region", (editor) => killRegion(editor)],
  ["copy-region-as-kill", copyRegion],
  ["copy-forward-word", (editor) => copy(editor, wordEnd(editor.line.text, editor.line.point))],
  ["copy-backward-word", (editor) => copy(editor, wordStart(editor.line.text, editor.line.point))],
  ["yank", yank],
  ["yank-pop", yankPop],
];

/** Of a text with several lines the end of the one the point is in. */
function lineEnd({ line }: LineEditor): number {
  return line.text.length;
}

function killToStart(editor: LineEditor): void {
  editor.kill(0, editor.line.point, "backward");
}

function killWords(
  editor: LineEditor,
  count: number,
  isWord?: (character: string) => boolean,
): void {
  const { line } = editor;
  const { point } = line;
  let target = point;
  for (let left = Math.abs(count); left > 0; left--) {
    const next =
      count > 0 ? wordEnd(line.text, target, isWord) : wordStart(line.text, target, isWord);
    if (next === target) break;
    target = next;
  }
  if (count > 0) editor.kill(point, target, "forward");
  else editor.kill(target, point, "backward");
}

function killRegion(editor: LineEditor): void {
  const { point, mark } = editor.line;
  editor.kill(Math.min(point, mark), Math.max(point, mark), "forward");
}

function copyRegion({ line, kills }: LineEditor): void {
  const { point, mark } = line;
  kills.add(line.text.slice(Math.min(point, mark), Math.max(point, mark)), "new");
}

function copy({ line, kills }: LineEditor, target: number): void {
  const [start, end] = target < line.point ? [target, line.point] : [line.point, target];
  kills.add(line.text.slice(start, end), "new");
}

async function yank(editor: LineEditor): Promise<void> {
  const { current } = editor.kills;
  if (current === "") return editor.ring();
  const { line } = editor;
  const start = line.point;
  line.insert(current);
  line.mark = start;
  return undefined;
}

/** Puts an older cut in place of the one just brought back. */
async function yankPop(editor: LineEditor): Promise<void> {
  if (!["yank", "yank-pop"].includes(editor.lastFunction)) return editor.ring();
  const { line } = editor;
  const start = line.mark;
  line.replace(start, line.point, editor.kills.rotate());
  line.mark = start;
  return undefined;
}

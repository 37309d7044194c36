/** Functions that move the point. */
import type { EditCommand, LineEditor } from "../line-editor.ts";
import { isInk, wordEnd, wordStart } from "../words.ts";

export const moveCommands: readonly (readonly [string, EditCommand])[] = [
  ["beginning-of-line", ({ line }) => void (line.point = 0)],
  ["end-of-line", ({ line }) => void (line.point = line.text.length)],
  ["forward-char", (editor, { count }) => moveCharacters(editor, count)],
  ["backward-char", (editor, { count }) => moveCharacters(editor, -count)],
  ["forward-byte", (editor, { count }) => moveCharacters(editor, count)],
  ["backward-byte", (editor, { count }) => moveCharacters(editor, -count)],
  ["forward-word", (editor, { count }) => moveWords(editor, count)],
  ["backward-word", (editor, { count }) => moveWords(editor, -count)],
  ["shell-forward-word", (editor, { count }) => moveWords(editor, count, isInk)],
  ["shell-backward-word", (editor, { count }) => moveWords(editor, -count, isInk)],
  ["previous-screen-line", (editor, { count }) => moveRows(editor, -count)],
  ["next-screen-line", (editor, { count }) => moveRows(editor, count)],
  ["set-mark", ({ line }) => void (line.mark = line.point)],
  ["exchange-point-and-mark", exchangeMark],
  ["character-search", (editor, { count }) => searchCharacter(editor, count)],
  ["character-search-backward", (editor, { count }) => searchCharacter(editor, -count)],
];

/** Moves by characters; rings at an end. */
async function moveCharacters(editor: LineEditor, count: number): Promise<void> {
  const { line } = editor;
  for (let left = Math.abs(count); left > 0; left--) {
    const target = count > 0 ? line.next() : line.previous();
    if (target === line.point) return editor.ring();
    line.point = target;
  }
  return undefined;
}

function moveWords(
  { line }: LineEditor,
  count: number,
  isWord?: (character: string) => boolean,
): void {
  for (let left = Math.abs(count); left > 0; left--) {
    const target =
      count > 0 ? wordEnd(line.text, line.point, isWord) : wordStart(line.text, line.point, isWord);
    if (target === line.point) return;
    line.point = target;
  }
}

function moveRows({ line, screen }: LineEditor, count: number): void {
  line.point += count * screen.size.columns;
}

function exchangeMark({ line }: LineEditor): void {
  const { mark } = line;
  line.mark = line.point;
  line.point = mark;
}

/** The next key is the character to go to. */
async function searchCharacter(editor: LineEditor, count: number): Promise<void> {
  const wanted = await editor.keys.readCharacter();
  if (wanted === undefined) return;
  const { line } = editor;
  const found =
    count > 0
      ? line.text.indexOf(wanted, line.next())
      : line.text.lastIndexOf(wanted, line.point - 1);
  if (found === -1 || (count < 0 && line.point === 0)) await editor.ring();
  else line.point = found;
}

/** Functions that change text. */
import type { Call, EditCommand, LineEditor } from "../line-editor.ts";
import { wordEnd, wordStart } from "../words.ts";

export const textCommands: readonly (readonly [string, EditCommand])[] = [
  ["self-insert", insertSelf],
  ["delete-char", deleteCharacter],
  ["forward-backward-delete-char", deleteEither],
  ["backward-delete-char", (editor, { count }) => eraseCharacters(editor, count)],
  ["quoted-insert", quotedInsert],
  ["tab-insert", (editor, { count }) => editor.line.insert("\t".repeat(Math.max(0, count)))],
  ["transpose-chars", transposeCharacters],
  ["transpose-words", transposeWords],
  ["upcase-word", (editor, { count }) => changeWords(editor, count, (word) => word.toUpperCase())],
  [
    "downcase-word",
    (editor, { count }) => changeWords(editor, count, (word) => word.toLowerCase()),
  ],
  ["capitalize-word", (editor, { count }) => changeWords(editor, count, capitalize)],
  ["delete-horizontal-space", deleteBlanks],
  ["overwrite-mode", (editor) => void (editor.isOverwriting = !editor.isOverwriting)],
  ["undo", undo],
  ["vi-undo", undo],
  ["revert-line", ({ line }) => line.revert()],
  ["tilde-expand", (editor) => expandTildeHere(editor)],
  ["bracketed-paste-begin", paste],
  ["insert-comment", insertComment],
];

/** A count larger than this inserts nothing more. */
const REPEAT_LIMIT = 10_000;

function insertSelf({ line, isOverwriting }: LineEditor, { count, key }: Call): void {
  const text = key.repeat(Math.max(0, Math.min(count, REPEAT_LIMIT)));
  if (isOverwriting && line.point < line.text.length) line.replace(line.point, line.next(), text);
  else line.type(text);
}

/** On an empty line it is the end of input, unless it follows itself. */
async function deleteCharacter(editor: LineEditor, { count, key }: Call): Promise<void> {
  const { line } = editor;
  if (line.isEmpty && key === "\u0004" && editor.lastFunction !== "delete-char")
    return editor.endInput();
  if (count < 0) return eraseCharacters(editor, -count);
  if (line.point === line.text.length) return editor.ring();
  let end = line.point;
  for (let left = count; left > 0; left--) end = line.next(end);
  const start = line.point;
  const removed = line.remove(start, end);
  if (count > 1) editor.kills.add(removed, "new");
  return undefined;
}

function deleteEither(editor: LineEditor, call: Call): Promise<void> {
  return editor.line.point === editor.line.text.length
    ? eraseCharacters(editor, call.count)
    : deleteCharacter(editor, { ...call, key: "" });
}

async function eraseCharacters(editor: LineEditor, count: number): Promise<void> {
  const { line } = editor;
  if (line.point === 0) return editor.ring();
  let start = line.point;
  for (let left = count; left > 0; left--) start = line.previous(start);
  const removed = line.remove(start, line.point);
  if (count > 1) editor.kills.add(removed, "new");
  return undefined;
}

/** The next key as it is, whatever it is bound to. */
async function quotedInsert(editor: LineEditor, { count }: Call): Promise<void> {
  const character = await editor.keys.readCharacter();
  if (character !== undefined) editor.line.insert(character.repeat(Math.max(0, count)));
}

async function transposeCharacters(editor: LineEditor): Promise<void> {
  const { line } = editor;
  const { text } = line;
  const middle = line.point === text.length ? line.previous() : line.point;
  const start = line.previous(middle);
  const end = line.next(middle);
  if (start === middle || middle === text.length) return editor.ring();
  line.replace(start, end, text.slice(middle, end) + text.slice(start, middle));
  return undefined;
}

async function transposeWords(editor: LineEditor): Promise<void> {
  const { line } = editor;
  const { text } = line;
  const secondEnd = wordEnd(text, line.point);
  const secondStart = wordStart(text, secondEnd);
  const firstStart = wordStart(text, secondStart);
  const firstEnd = wordEnd(text, firstStart);
  if (firstStart === secondStart || firstEnd > secondStart) return editor.ring();
  const swapped =
    text.slice(secondStart, secondEnd) +
    text.slice(firstEnd, secondStart) +
    text.slice(firstStart, firstEnd);
  line.replace(firstStart, secondEnd, swapped);
  return undefined;
}

/** With a negative count the words before the point, which stays. */
function changeWords({ line }: LineEditor, count: number, change: (word: string) => string): void {
  const { point } = line;
  let target = point;
  for (let left = Math.abs(count); left > 0; left--)
    target = count > 0 ? wordEnd(line.text, target) : wordStart(line.text, target);
  const [start, end] = count > 0 ? [point, target] : [target, point];
  if (start === end) return;
  line.replace(start, end, line.text.slice(start, end).replace(/[\p{L}\p{N}]+/gu, change));
}

function capitalize(word: string): string {
  const [first = "", ...rest] = word;
  return first.toUpperCase() + rest.join("").toLowerCase();
}

function deleteBlanks({ line }: LineEditor): void {
  const before = /[ \t]*$/.exec(line.text.slice(0, line.point))?.[0].length ?? 0;
  const after = /^[ \t]*/.exec(line.text.slice(line.point))?.[0].length ?? 0;
  line.remove(line.point - before, line.point + after);
}

async function undo(editor: LineEditor): Promise<void> {
  if (!editor.line.undo()) await editor.ring();
}

function expandTildeHere({ line, shell }: LineEditor): void {
  const start = wordStart(line.text, line.point, (character) => !/\s/.test(character));
  const home = shell.variables.get("HOME");
  if (line.text.charAt(start) === "~" && home !== undefined) line.replace(start, start + 1, home);
}

const PASTE_END = "\u001b[201~";

/** Everything up to the terminal's mark is text, newlines too: nothing runs by being pasted. */
async function paste(editor: LineEditor): Promise<void> {
  let text = "";
  while (!text.endsWith(PASTE_END)) {
    const character = await editor.keys.readCharacter();
    if (character === undefined) break;
    text += character;
  }
  const pasted = text.endsWith(PASTE_END) ? text.slice(0, -PASTE_END.length) : text;
  editor.line.insert(pasted.replace(/\r\n?/g, "\n"));
}

/** Makes the line a comment and takes it; with a count it takes the mark away again. */
function insertComment(editor: LineEditor, { hasCount }: Call): void {
  const { line, shell } = editor;
  const mark = shell.keyBindings.variable("comment-begin") || "#";
  if (hasCount && line.text.startsWith(mark)) line.remove(0, mark.length);
  else line.replace(0, 0, mark);
  editor.accept();
}

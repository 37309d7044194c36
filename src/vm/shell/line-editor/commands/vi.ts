/** The common part of vi's keys: movements, changes, deletions, `set -o vi`. */
import type { Call, EditCommand, LineEditor } from "../line-editor.ts";
import { isInk } from "../words.ts";

export const viCommands: readonly (readonly [string, EditCommand])[] = [
  ["vi-movement-mode", enterMovement],
  ["vi-insertion-mode", enterInsertion],
  ["vi-editing-mode", enterInsertion],
  ["emacs-editing-mode", (editor) => void (editor.keymap = "emacs")],
  ["vi-insert-beg", (editor) => insertAt(editor, firstInk(editor))],
  ["vi-append-mode", (editor) => insertAt(editor, editor.line.next())],
  ["vi-append-eol", (editor) => insertAt(editor, editor.line.text.length)],
  ["vi-eof-maybe", eofMaybe],
  ["vi-first-print", (editor) => void (editor.line.point = firstInk(editor))],
  ["vi-back-to-indent", (editor) => void (editor.line.point = firstInk(editor))],
  ["vi-column", ({ line }, { count }) => void (line.point = count - 1)],
  ["vi-prev-word", moveBy],
  ["vi-next-word", moveBy],
  ["vi-end-word", moveBy],
  ["vi-backward-word", moveBy],
  ["vi-forward-word", moveBy],
  ["vi-fword", moveBy],
  ["vi-fWord", moveBy],
  ["vi-match", ({ line }) => void (line.point = matchingBracket(line.text, line.point))],
  ["vi-char-search", characterSearch],
  ["vi-delete", deleteHere],
  ["vi-rubout", (editor, { count }) => cut(editor, back(editor, count), editor.line.point)],
  ["vi-delete-to", (editor, call) => operate(editor, call, "delete")],
  ["vi-change-to", (editor, call) => operate(editor, call, "change")],
  ["vi-yank-to", (editor, call) => operate(editor, call, "yank")],
  ["vi-subst", substitute],
  ["vi-replace", enterReplacement],
  ["vi-change-char", replaceCharacter],
  ["vi-change-case", changeCase],
  ["vi-put", put],
  ["vi-fetch-history", (editor) => editor.call("fetch-history")],
  ["vi-yank-arg", (editor) => editor.call("yank-last-arg")],
];

function enterMovement(editor: LineEditor): void {
  editor.keymap = "vi-command";
  editor.isOverwriting = false;
  if (editor.line.point > 0) editor.line.point = editor.line.previous();
}

function enterInsertion(editor: LineEditor): void {
  editor.keymap = "vi-insert";
}

function enterReplacement(editor: LineEditor): void {
  editor.isOverwriting = true;
  enterInsertion(editor);
}

function insertAt(editor: LineEditor, point: number): void {
  editor.line.point = point;
  enterInsertion(editor);
}

function eofMaybe(editor: LineEditor): void {
  if (editor.line.isEmpty) editor.endInput();
  else editor.accept();
}

function firstInk({ line }: LineEditor): number {
  return Math.max(0, line.text.search(/\S/));
}

function back({ line }: LineEditor, count: number): number {
  let at = line.point;
  for (let left = count; left > 0; left--) at = line.previous(at);
  return at;
}

/** Which of three kinds of text a character is part of: vi's words and the rest. */
function classOf(character: string, isBig: boolean): number {
  if (!isInk(character)) return 0;
  return isBig || /[\p{L}\p{N}_]/u.test(character) ? 1 : 2;
}

/** Where a movement key leads. */
function target(editor: LineEditor, key: string, count: number): number {
  const { line } = editor;
  let at = line.point;
  for (let left = count; left > 0; left--) at = targetOnce(line.text, at, key);
  return at;
}

function targetOnce(text: string, from: number, key: string): number {
  const isBig = key === key.toUpperCase();
  const kind = (at: number): number => classOf(text.charAt(at), isBig);
  let at = from;
  switch (key.toLowerCase()) {
    case "w": {
      const start = kind(at);
      while (at < text.length && start !== 0 && kind(at) === start) at += 1;
      while (at < text.length && kind(at) === 0) at += 1;
      return at;
    }
    case "e": {
      at += 1;
      while (at < text.length && kind(at) === 0) at += 1;
      while (at + 1 < text.length && kind(at + 1) === kind(at)) at += 1;
      return Math.min(at, text.length);
    }
    case "b": {
      while (at > 0 && kind(at - 1) === 0) at -= 1;
      const end = at > 0 ? kind(at - 1) : 0;
      while (at > 0 && kind(at - 1) === end) at -= 1;
      return at;
    }
    default:
      return at;
  }
}

function moveBy(editor: LineEditor, { key, count }: Call): void {
  const { line } = editor;
  line.point = Math.min(target(editor, key, count), Math.max(0, line.text.length - 1));
}

/** `d`, `c` and `y` with the movement that follows; doubled they take the line. */
async function operate(
  editor: LineEditor,
  { key, count }: Call,
  what: "delete" | "change" | "yank",
): Promise<void> {
  const { line } = editor;
  const isUpper = key >= "A" && key <= "Z";
  const next = isUpper ? "$" : ((await editor.keys.readCharacter()) ?? "");
  const isWordChange = what === "change" && /^[wW]$/.test(next);
  const movement = isWordChange ? (next === "w" ? "e" : "E") : next;
  const range = await movementRange(editor, next === key ? "line" : movement, count);
  if (range === undefined) return editor.ring();
  const [start, end] = range;
  if (what === "yank") editor.kills.add(line.text.slice(start, end), "new");
  else cut(editor, start, end);
  line.point = start;
  if (what === "change") enterInsertion(editor);
  return undefined;
}

async function movementRange(
  editor: LineEditor,
  key: string,
  count: number,
): Promise<readonly [number, number] | undefined> {
  const { line } = editor;
  const { point, text } = line;
  const ordered = (to: number): readonly [number, number] =>
    to < point ? [to, point] : [point, to];
  if (key === "line") return [0, text.length];
  if (key === "$") return [point, text.length];
  if (key === "0") return [0, point];
  if (key === "^") return ordered(firstInk(editor));
  if (key === "h") return ordered(back(editor, count));
  if (key === "l" || key === " ") return [point, Math.min(text.length, line.next())];
  if ("wWbB".includes(key)) return ordered(target(editor, key, count));
  if ("eE".includes(key)) return ordered(Math.min(text.length, target(editor, key, count) + 1));
  if (key === "%") return [point, matchingBracket(text, point) + 1];
  if (!"fFtT".includes(key)) return undefined;
  const wanted = (await editor.keys.readCharacter()) ?? "";
  const found = findCharacter(text, point, key, wanted);
  if (found === undefined) return undefined;
  return found < point ? [found, point] : [point, found + 1];
}

function cut(editor: LineEditor, start: number, end: number): void {
  editor.kills.add(editor.line.remove(start, end), "new");
}

function deleteHere(editor: LineEditor, { count }: Call): void {
  const { line } = editor;
  let end = line.point;
  for (let left = count; left > 0; left--) end = line.next(end);
  cut(editor, line.point, end);
  if (line.point === line.text.length && line.point > 0) line.point = line.previous();
}

function substitute(editor: LineEditor, call: Call): void {
  if (call.key === "S") cut(editor, 0, editor.line.text.length);
  else {
    const { line } = editor;
    let end = line.point;
    for (let left = call.count; left > 0; left--) end = line.next(end);
    cut(editor, line.point, end);
  }
  enterInsertion(editor);
}

async function replaceCharacter(editor: LineEditor): Promise<void> {
  const { line } = editor;
  const character = await editor.keys.readCharacter();
  if (character === undefined || character < " " || line.isEmpty) return;
  const { point } = line;
  line.replace(point, line.next(), character);
  line.point = point;
}

function changeCase({ line }: LineEditor, { count }: Call): void {
  for (let left = count; left > 0 && line.point < line.text.length; left--) {
    const end = line.next();
    const character = line.text.slice(line.point, end);
    const lower = character.toLowerCase();
    line.replace(line.point, end, character === lower ? character.toUpperCase() : lower);
  }
}

function put(editor: LineEditor, { key }: Call): void {
  const { line } = editor;
  if (key === "p" && !line.isEmpty) line.point = line.next();
  line.insert(editor.kills.current);
  if (line.point > 0) line.point = line.previous();
}

async function characterSearch(editor: LineEditor, { key }: Call): Promise<void> {
  const { line, memory } = editor;
  const isAgain = key === ";" || key === ",";
  const wanted = isAgain ? memory.get("vi character") : await editor.keys.readCharacter();
  const kind = isAgain ? (memory.get("vi search") ?? "f") : key;
  if (wanted === undefined) return;
  if (!isAgain) {
    memory.set("vi character", wanted);
    memory.set("vi search", key);
  }
  const turned = kind === kind.toLowerCase() ? kind.toUpperCase() : kind.toLowerCase();
  const found = findCharacter(line.text, line.point, key === "," ? turned : kind, wanted);
  if (found === undefined) await editor.ring();
  else line.point = found;
}

function findCharacter(
  text: string,
  point: number,
  kind: string,
  wanted: string,
): number | undefined {
  const isForward = kind === "f" || kind === "t";
  const found = isForward
    ? text.indexOf(wanted, point + 1)
    : point === 0
      ? -1
      : text.lastIndexOf(wanted, point - 1);
  if (found === -1) return undefined;
  if (kind === "t") return found - 1;
  return kind === "T" ? found + 1 : found;
}

function matchingBracket(text: string, point: number): number {
  const pairs = "()[]{}";
  const at = pairs.indexOf(text.charAt(point));
  if (at === -1 || text.charAt(point) === "") return point;
  const step = at % 2 === 0 ? 1 : -1;
  const other = pairs.charAt(at + step);
  let depth = 0;
  for (let place = point; place >= 0 && place < text.length; place += step) {
    if (text.charAt(place) === text.charAt(point)) depth += 1;
    if (text.charAt(place) === other) depth -= 1;
    if (depth === 0) return place;
  }
  return point;
}

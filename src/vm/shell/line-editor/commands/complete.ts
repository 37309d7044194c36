/** TAB and its kin: complete the word at the point, or list what it could be. */
import {
  type CompletionKind,
  completeLine,
  type LineCompletion,
} from "../../completion/complete-line.ts";
import { isDirectory } from "../../completion/list-paths.ts";
import { insertAll, insertMatch, quoteMatch } from "../insert-match.ts";
import type { EditCommand, LineEditor } from "../line-editor.ts";
import { showMatches } from "../show-matches.ts";

/** COMP_TYPE: what the key asks for, see bash(1). */
const TYPE_NORMAL = 9;
const TYPE_LIST = 63;
const TYPE_MENU = 37;

export const completeCommands: readonly (readonly [string, EditCommand])[] = [
  ["complete", (editor) => complete(editor, "any")],
  ["possible-completions", (editor) => list(editor, "any")],
  ["insert-completions", (editor) => insertEvery(editor)],
  ["menu-complete", (editor, { count }) => turn(editor, count)],
  ["menu-complete-backward", (editor, { count }) => turn(editor, -count)],
  ["old-menu-complete", (editor, { count }) => turn(editor, count)],
  ["vi-complete", (editor) => complete(editor, "any")],
  ...kinds("filename", "file"),
  ...kinds("command", "command"),
  ...kinds("username", "user"),
  ...kinds("variable", "variable"),
  ...kinds("hostname", "hostname"),
];

function kinds(name: string, kind: CompletionKind): (readonly [string, EditCommand])[] {
  return [
    [`complete-${name}`, (editor) => complete(editor, kind)],
    [`possible-${name}-completions`, (editor) => list(editor, kind)],
  ];
}

async function find(
  editor: LineEditor,
  kind: CompletionKind,
  type: number,
): Promise<LineCompletion> {
  const { line, shell, terminal } = editor;
  await terminal.leave();
  try {
    return await completeLine(shell, { text: line.text, point: line.point, kind, type });
  } finally {
    await terminal.enter();
  }
}

async function complete(editor: LineEditor, kind: CompletionKind): Promise<void> {
  const { keyBindings } = editor.shell;
  if (keyBindings.isOn("disable-completion")) {
    editor.line.type("\t");
    return;
  }
  const isAgain =
    editor.lastFunction.startsWith("complete") && editor.memory.get("completed") !== "changed";
  const found = await find(editor, kind, isAgain ? TYPE_LIST : TYPE_NORMAL);
  const { matches } = found;
  const [only] = matches;
  if (only === undefined) return editor.ring();
  if (matches.length === 1) return insertMatch(editor, found, only);
  const before = editor.line.text;
  const prefix = commonPrefix(matches, keyBindings.isOn("completion-ignore-case"));
  const written = editor.line.text.slice(found.start, editor.line.point);
  const quoted = quoteMatch(prefix, found);
  if (quoted.length >= written.length && quoted !== written)
    editor.line.replace(found.start, editor.line.point, quoted);
  const isChanged = editor.line.text !== before;
  editor.memory.set("completed", isChanged ? "changed" : "same");
  const listsAtOnce =
    keyBindings.isOn("show-all-if-ambiguous") ||
    (keyBindings.isOn("show-all-if-unmodified") && !isChanged);
  if ((isAgain && !isChanged) || listsAtOnce) return showMatches(editor, found);
  await editor.ring();
  return undefined;
}

async function list(editor: LineEditor, kind: CompletionKind): Promise<void> {
  const found = await find(editor, kind, TYPE_LIST);
  if (found.matches.length === 0) await editor.ring();
  else await showMatches(editor, found);
}

async function insertEvery(editor: LineEditor): Promise<void> {
  const found = await find(editor, "any", TYPE_NORMAL);
  if (found.matches.length === 0) await editor.ring();
  else insertAll(editor, found);
}

/** Each time the next match in place of the last one. */
async function turn(editor: LineEditor, count: number): Promise<void> {
  const { line, memory } = editor;
  const isAgain = editor.lastFunction.includes("menu-complete");
  const found = isAgain ? await findAgain(editor) : await find(editor, "any", TYPE_MENU);
  if (found.matches.length === 0) return editor.ring();
  if (!isAgain) memory.set("menu line", line.text.slice(0, line.point));
  const at = isAgain ? Number(memory.get("menu index") ?? "-1") : count > 0 ? -1 : 0;
  const size = found.matches.length;
  const index = (((at + count) % size) + size) % size;
  memory.set("menu index", String(index));
  const match = found.matches[index] ?? "";
  const isFolder = found.isPath && (await isDirectory(editor.shell, match));
  line.replace(found.start, line.point, `${quoteMatch(match, found)}${isFolder ? "/" : ""}`);
  return undefined;
}

/** The matches of the word as it was before the first turn. */
async function findAgain(editor: LineEditor): Promise<LineCompletion> {
  const text = editor.memory.get("menu line") ?? "";
  const request = { text, point: text.length, kind: "any", type: TYPE_MENU } as const;
  return completeLine(editor.shell, request);
}

function commonPrefix(texts: readonly string[], ignoresCase: boolean): string {
  const [first = ""] = texts;
  const fold = (text: string): string => (ignoresCase ? text.toLowerCase() : text);
  let length = first.length;
  for (const text of texts) {
    let at = 0;
    while (at < length && at < text.length && fold(text.charAt(at)) === fold(first.charAt(at)))
      at += 1;
    length = at;
  }
  return first.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

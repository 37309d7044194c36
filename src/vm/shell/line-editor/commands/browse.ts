/** Functions that fetch lines from the history. */
import { expandHistory } from "../../history/expand-history.ts";
import { HistoryError } from "../../history/history-error.ts";
import { tokenizeLine } from "../../history/tokenize-line.ts";
import type { Call, EditCommand, LineEditor } from "../line-editor.ts";

export const browseCommands: readonly (readonly [string, EditCommand])[] = [
  ["previous-history", (editor, { count }) => go(editor, editor.history.at - count)],
  ["next-history", (editor, { count }) => go(editor, editor.history.at + count)],
  ["beginning-of-history", (editor) => go(editor, 0)],
  ["end-of-history", (editor) => go(editor, editor.history.end)],
  ["fetch-history", fetch],
  ["history-search-backward", (editor) => searchPrefix(editor, -1)],
  ["history-search-forward", (editor) => searchPrefix(editor, 1)],
  ["history-substring-search-backward", (editor) => searchPrefix(editor, -1, "inside")],
  ["history-substring-search-forward", (editor) => searchPrefix(editor, 1, "inside")],
  ["insert-last-argument", insertLastArgument],
  ["yank-last-arg", insertLastArgument],
  ["yank-nth-arg", insertArgument],
  ["operate-and-get-next", operateAndGetNext],
  ["history-expand-line", expandLine],
  ["history-and-alias-expand-line", expandLine],
  ["magic-space", magicSpace],
];

async function go(editor: LineEditor, index: number): Promise<void> {
  const { history, line } = editor;
  const text = history.go(Math.max(0, Math.min(index, history.end)), line.text);
  if (text === undefined) return editor.ring();
  line.reset(text);
  return undefined;
}

async function fetch(editor: LineEditor, { count, hasCount }: Call): Promise<void> {
  const { history } = editor.shell;
  await go(editor, hasCount ? count - history.base : 0);
}

/** Lines that start with (or hold) what stands before the point. */
async function searchPrefix(
  editor: LineEditor,
  step: 1 | -1,
  where: "start" | "inside" = "start",
): Promise<void> {
  const { history, line, memory } = editor;
  const isGoingOn = editor.lastFunction.startsWith("history-s");
  const wanted = isGoingOn ? (memory.get("prefix") ?? "") : line.text.slice(0, line.point);
  memory.set("prefix", wanted);
  const index = history.find(history.at + step, step, (text) =>
    where === "start" ? text.startsWith(wanted) : text.includes(wanted),
  );
  if (index === undefined) return editor.ring();
  const text = history.go(index, line.text);
  if (text !== undefined) line.reset(text, where === "start" ? wanted.length : text.length);
  return undefined;
}

/** The last word of the line before; called again that of the line before that. */
async function insertLastArgument(editor: LineEditor): Promise<void> {
  const { line, history, memory } = editor;
  const isAgain = ["insert-last-argument", "yank-last-arg"].includes(editor.lastFunction);
  const from = isAgain ? Number(memory.get("argument index") ?? history.end) : history.end;
  const index = from - 1;
  if (index < 0) return editor.ring();
  const word = tokenizeLine(history.text(index)).at(-1) ?? "";
  const inserted = isAgain ? (memory.get("argument") ?? "") : "";
  line.replace(line.point - inserted.length, line.point, word);
  memory.set("argument", word);
  memory.set("argument index", String(index));
  return undefined;
}

async function insertArgument(editor: LineEditor, { count, hasCount }: Call): Promise<void> {
  const { line, history } = editor;
  const words = tokenizeLine(history.text(history.end - 1));
  const word = words.at(hasCount ? count : 1);
  if (word === undefined) await editor.ring();
  else line.insert(word);
}

/** Takes the line, and offers the one behind it in the history next. */
function operateAndGetNext(editor: LineEditor): void {
  const { at, end } = editor.history;
  const hasLater = at < end;
  editor.nextIndex = hasLater ? at + 1 : undefined;
  editor.accept();
}

async function expandLine(editor: LineEditor): Promise<void> {
  const { line, shell } = editor;
  try {
    const { text } = expandHistory(line.text, {
      history: shell.history,
      hasExtglob: shell.options.has("extglob"),
      isPosix: shell.options.has("posix"),
      quote: "",
    });
    if (text !== line.text) line.replace(0, line.text.length, text);
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    await editor.ring();
  }
}

async function magicSpace(editor: LineEditor): Promise<void> {
  await expandLine(editor);
  editor.line.type(" ");
}

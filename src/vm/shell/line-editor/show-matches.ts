/** Lists completions below the line, page by page where they are many. */
import type { LineCompletion } from "../completion/complete-line.ts";
import { isDirectory } from "../completion/list-paths.ts";
import type { LineEditor } from "./line-editor.ts";
import { listColumns } from "./list-columns.ts";

/** Lists are cut here: more could not be read. */
const LIST_LIMIT = 100_000;

export async function showMatches(editor: LineEditor, found: LineCompletion): Promise<void> {
  const { line, screen, terminal } = editor;
  const point = line.point;
  line.point = line.text.length;
  await editor.draw();
  line.point = point;
  await terminal.write(screen.leave());
  if (await isWanted(editor, found.matches.length)) await showRows(editor, found);
  await editor.redraw();
}

/** Asks before very many are shown. */
async function isWanted(editor: LineEditor, count: number): Promise<boolean> {
  const { terminal, keys, shell } = editor;
  const limit = Number(shell.keyBindings.variable("completion-query-items"));
  if (!(limit > 0) || count < limit) return true;
  await terminal.write(`Display all ${count} possibilities? (y or n)`);
  for (;;) {
    const key = await keys.readCharacter();
    const isYes = key === "y" || key === "Y" || key === " ";
    const isNo = key === undefined || "nN\u007f\u0007".includes(key);
    if (!isYes && !isNo) {
      await editor.ring();
      continue;
    }
    await terminal.write("\n");
    return isYes;
  }
}

async function showRows(editor: LineEditor, found: LineCompletion): Promise<void> {
  const { terminal, screen, shell } = editor;
  const names: string[] = [];
  for (const match of found.matches.slice(0, LIST_LIMIT)) {
    if (!found.isPath) {
      names.push(match);
      continue;
    }
    const name = match.slice(match.lastIndexOf("/", match.length - 2) + 1);
    const isFolder = !name.endsWith("/") && (await isDirectory(shell, match));
    names.push(isFolder ? `${name}/` : name);
  }
  const isAcross = shell.keyBindings.isOn("print-completions-horizontally");
  const rows = listColumns(names, screen.size.columns, isAcross ? "across" : "down");
  const pageRows = Math.max(1, screen.size.rows - 1);
  const isPaged = shell.keyBindings.isOn("page-completions");
  for (let at = 0, left = pageRows; at < rows.length; at++, left--) {
    if (isPaged && left === 0) {
      left = await askForMore(editor, pageRows);
      if (left === 0) return;
    }
    await terminal.write(`${rows[at]}\n`);
  }
}

/** How many more rows are wanted; 0 ends the list. */
async function askForMore({ terminal, keys }: LineEditor, pageRows: number): Promise<number> {
  await terminal.write("--More--");
  for (;;) {
    const key = await keys.readCharacter();
    const rows = moreRows(key, pageRows);
    if (rows === undefined) continue;
    await terminal.write("\r\u001b[K");
    return rows;
  }
}

function moreRows(key: string | undefined, pageRows: number): number | undefined {
  if (key === undefined || "qnQN\u0003\u007f".includes(key)) return 0;
  if (" yY\t".includes(key)) return pageRows;
  return key === "\r" || key === "\n" ? 1 : undefined;
}

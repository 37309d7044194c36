/** Puts a completion into the line, quoted as the word it ends is. */
import type { LineCompletion } from "../completion/complete-line.ts";
import { isDirectory } from "../completion/list-paths.ts";
import type { LineEditor } from "./line-editor.ts";

/** The text as it is written inside the quotes that are open, or with backslashes. */
export function quoteMatch(text: string, { quote, options, isPath }: LineCompletion): string {
  if (options.has("noquote") || (!isPath && quote === "" && !/[\s]/.test(text)))
    return `${quote}${text}`;
  if (quote === "'") return `'${text.replaceAll("'", "'\\''")}`;
  if (quote === '"') return `"${text.replace(/[$`"\\]/g, "\\$&")}`;
  const tilde = /^~[^/]*(?=\/)/.exec(text)?.[0] ?? "";
  const rest = text.slice(tilde.length);
  if (rest.includes("\n"))
    return `$'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;
  return (
    tilde + rest.replace(/[\s\\'"`$&|;<>()*?[\]{}!#]/g, (one) => `\\${one}`).replace(/^~/, "\\~")
  );
}

/** The only match: whole, with what ends it. */
export async function insertMatch(
  editor: LineEditor,
  found: LineCompletion,
  match: string,
): Promise<void> {
  const { line, shell } = editor;
  const { start, quote, options, isPath } = found;
  const isFolder = isPath && (await isDirectory(shell, match));
  const marksFolders = shell.keyBindings.isOn("mark-directories");
  let text = quoteMatch(match, found);
  const rest = line.text.slice(line.point);
  if (isFolder && marksFolders) {
    if (!match.endsWith("/") && !rest.startsWith("/")) text += "/";
  } else if (!options.has("nospace")) {
    text += quote !== "" && !rest.startsWith(quote) ? quote : "";
    if (!rest.startsWith(" ")) text += " ";
  }
  if (text === line.text.slice(start, line.point)) await editor.ring();
  else line.replace(start, line.point, text);
}

/** All matches, one after the other. */
export function insertAll({ line }: LineEditor, found: LineCompletion): void {
  const { matches, start, quote } = found;
  const texts = matches.map((match) => `${quoteMatch(match, found)}${quote}`);
  line.replace(start, line.point, `${texts.join(" ")} `);
}

/** `bind -x`: a key that runs shell source, which sees the line and may change it. */
import { asShellError } from "../state/shell-error.ts";
import type { LineEditor } from "./line-editor.ts";

export async function runShellBinding(editor: LineEditor, source: string): Promise<void> {
  const { shell, line, terminal, screen } = editor;
  const { variables } = shell;
  const { status } = shell;
  variables.set("READLINE_LINE", line.text);
  variables.set("READLINE_POINT", String([...line.text.slice(0, line.point)].length));
  variables.set("READLINE_MARK", String(line.mark));
  await terminal.write(screen.erase());
  await terminal.leave();
  try {
    await shell.interpreter.runSource(shell, source);
  } catch (thrown) {
    const error = asShellError(thrown);
    if (error === undefined) throw thrown;
    await shell.complain(error.message);
  } finally {
    await terminal.enter();
  }
  shell.status = status;
  const text = variables.get("READLINE_LINE") ?? line.text;
  const point = Number(variables.get("READLINE_POINT") ?? "0") || 0;
  const offset = [...text].slice(0, Math.max(0, point)).join("").length;
  if (text !== line.text) line.replace(0, line.text.length, text);
  line.point = offset;
  for (const name of ["READLINE_LINE", "READLINE_POINT", "READLINE_MARK"]) variables.unset(name);
  await editor.redraw();
}

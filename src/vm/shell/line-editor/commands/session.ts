/** Functions about the line as a whole, the screen, and the editor itself. */
import { isKernelError } from "../../../../kernel/index.ts";
import { readWhole } from "../../builtins/eval.ts";
import type { Call, EditCommand, LineEditor } from "../line-editor.ts";
import { applyInputrc } from "../parse-inputrc.ts";

export const sessionCommands: readonly (readonly [string, EditCommand])[] = [
  ["accept-line", (editor) => accept(editor)],
  ["abort", abort],
  ["clear-screen", (editor) => clear(editor, "\u001b[H\u001b[2J")],
  ["clear-display", (editor) => clear(editor, "\u001b[H\u001b[2J\u001b[3J")],
  ["redraw-current-line", (editor) => clear(editor, "")],
  ["digit-argument", digitArgument],
  ["vi-arg-digit", digitArgument],
  ["universal-argument", universalArgument],
  ["re-read-init-file", readInitFile],
  ["dump-functions", () => undefined],
  ["do-lowercase-version", () => undefined],
  ["prefix-meta", (editor) => editor.keys.push("\u001b")],
  ["skip-csi-sequence", () => undefined],
  ["display-shell-version", (editor) => editor.interject("GNU bash, version 5.2.15(1)-release\n")],
  ["shell-expand-line", () => undefined],
  ["edit-and-execute-command", editAndExecute],
  ["vi-edit-and-execute-command", editAndExecute],
  ["start-kbd-macro", ({ keys }) => keys.startRecording()],
  ["end-kbd-macro", endMacro],
  ["call-last-kbd-macro", callMacro],
];

/** More repetitions of a macro than this are not made. */
const MACRO_LIMIT = 1000;

function accept(editor: LineEditor): void {
  editor.line.point = editor.line.text.length;
  editor.accept();
}

async function abort(editor: LineEditor): Promise<void> {
  editor.argument = undefined;
  await editor.ring();
}

async function clear(editor: LineEditor, sequence: string): Promise<void> {
  await editor.terminal.write(sequence === "" ? editor.screen.erase() : sequence);
  await editor.redraw();
}

function digitArgument(editor: LineEditor, { key }: Call): void {
  const argument = editor.argument ?? { value: 0, isNegative: false, hasDigits: false };
  const digit = key.slice(-1);
  if (digit === "-") argument.isNegative = !argument.isNegative;
  else {
    argument.value = Math.min(1_000_000, argument.value * 10 + Number(digit));
    argument.hasDigits = true;
  }
  editor.argument = argument;
}

function universalArgument(editor: LineEditor): void {
  const value = (editor.argument?.value ?? 1) * 4;
  editor.argument = { value, isNegative: editor.argument?.isNegative ?? false, hasDigits: true };
}

async function readInitFile({ shell }: LineEditor): Promise<void> {
  const home = shell.variables.get("HOME") ?? "";
  const path = shell.variables.get("INPUTRC") ?? `${home}/.inputrc`;
  try {
    const facts = {
      mode: shell.keyBindings.variable("editing-mode"),
      term: shell.variables.get("TERM") ?? "",
    };
    applyInputrc(shell.keyBindings, await readWhole(shell, path), facts);
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
}

/** Runs `fc` with an editor on the line. */
function editAndExecute(editor: LineEditor): void {
  const { line } = editor;
  const command = `fc -e "\${VISUAL:-\${EDITOR:-vi}}"`;
  editor.shell.history.add(line.text, undefined, Number.POSITIVE_INFINITY);
  line.replace(0, line.text.length, ` ${command}`);
  editor.accept();
}

/** What was typed since the macro's start, without the keys that end it. */
async function endMacro(editor: LineEditor, { key }: Call): Promise<void> {
  const typed = editor.keys.takeRecording();
  if (typed === undefined) return editor.ring();
  editor.memory.set("macro", typed.slice(0, Math.max(0, typed.length - key.length)));
  return undefined;
}

async function callMacro(editor: LineEditor, { count }: Call): Promise<void> {
  const macro = editor.memory.get("macro") ?? "";
  if (macro === "") return editor.ring();
  for (let left = Math.min(count, MACRO_LIMIT); left > 0; left--) editor.keys.push(macro);
  return undefined;
}

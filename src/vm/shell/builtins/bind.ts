/** `bind`: shows and changes what keys do at the prompt. */
import { isKernelError } from "../../../kernel/index.ts";
import { errorWords } from "../../programs/program.ts";
import { bindableFunctions } from "../line-editor/function-names.ts";
import { type Binding, listBindings } from "../line-editor/key-bindings.ts";
import { decodeSequence, encodeSequence } from "../line-editor/key-sequence.ts";
import { applyInputrc, applyLine, splitBinding } from "../line-editor/parse-inputrc.ts";
import type { Shell } from "../state/shell.ts";
import { type Flags, readFlags } from "./builtin.ts";
import { readWhole } from "./eval.ts";

const usage =
  "bind [-lpsvPSVX] [-m keymap] [-f filename] [-q name] [-u name] [-r keyseq] [-x keyseq:shell-command] [keyseq:readline-function or readline-command]";

export async function bind(shell: Shell, words: readonly string[]): Promise<number> {
  if (!shell.isEditing) await shell.complain("bind: warning: line editing not enabled");
  const flags = await readFlags(shell, words, "lvpVPsSXf:q:u:m:r:x:", usage);
  if (flags === undefined) return 2;
  const keymap = flags.values.get("m");
  if (keymap !== undefined && shell.keyBindings.findKeymap(keymap) === undefined) {
    await shell.complain(`bind: \`${keymap}': invalid keymap name`);
    return 1;
  }
  await shell.write(1, listings(shell, flags, keymap));
  const status = await change(shell, flags, keymap);
  if (status !== 0) return status;
  for (const operand of flags.operands) {
    const problem = applyLine(shell.keyBindings, operand, keymap);
    if (problem !== undefined) await shell.write(2, `readline: ${problem}\n`);
  }
  return 0;
}

/** What the letters without values show, one after the other. */
function listings(shell: Shell, { on }: Flags, keymap: string | undefined): string {
  const { keyBindings } = shell;
  let text = "";
  if (on.has("l")) text += bindableFunctions.map((name) => `${name}\n`).join("");
  if (on.has("p")) text += `\n${listFunctions(shell, keymap, functionLines)}`;
  if (on.has("P")) text += `\n${listFunctions(shell, keymap, functionSentence)}`;
  if (on.has("s")) text += listMacros(shell, keymap, (keys, macro) => `"${keys}": "${macro}"\n`);
  if (on.has("S")) text += listMacros(shell, keymap, (keys, macro) => `${keys} outputs ${macro}\n`);
  if (on.has("X")) text += listCommands(shell, keymap);
  for (const [name, value] of on.has("v") ? keyBindings.variables() : [])
    text += `set ${name} ${value}\n`;
  for (const [name, value] of on.has("V") ? keyBindings.variables() : [])
    text += `${name} is set to \`${value}'\n`;
  return text;
}

async function change(shell: Shell, flags: Flags, keymap: string | undefined): Promise<number> {
  const { keyBindings } = shell;
  const { values } = flags;
  const file = values.get("f");
  if (file !== undefined && !(await readFile(shell, file))) return 1;
  const asked = values.get("q");
  if (asked !== undefined) return query(shell, asked, keymap);
  const unbound = values.get("u");
  if (unbound !== undefined) {
    if (!(await isFunction(shell, unbound))) return 1;
    for (const [sequence] of boundTo(shell, unbound, keymap))
      keyBindings.bind(sequence, undefined, keymap);
  }
  const removed = values.get("r");
  if (removed !== undefined) keyBindings.bind(decodeSequence(removed), undefined, keymap);
  const command = values.get("x");
  return command === undefined ? 0 : bindCommand(shell, command, keymap);
}

async function readFile(shell: Shell, path: string): Promise<boolean> {
  try {
    const text = await readWhole(shell, path);
    const term = shell.variables.get("TERM") ?? "";
    applyInputrc(shell.keyBindings, text, { mode: "emacs", term });
    return true;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await shell.complain(`bind: ${path}: cannot read: ${errorWords(error)}`);
    return false;
  }
}

async function isFunction(shell: Shell, name: string): Promise<boolean> {
  if (bindableFunctions.includes(name)) return true;
  await shell.complain(`bind: \`${name}': unknown function name`);
  return false;
}

async function query(shell: Shell, name: string, keymap: string | undefined): Promise<number> {
  if (!(await isFunction(shell, name))) return 1;
  const keys = boundTo(shell, name, keymap).map(([sequence]) => quoted(shell, sequence));
  if (keys.length === 0) {
    await shell.write(1, `${name} is not bound to any keys.\n`);
    return 1;
  }
  const more = keys.length > 5 ? ", ..." : "";
  await shell.write(
    1,
    `${name} can be invoked via ${keys.slice(0, 5).join(", ")}${more}${more === "" ? "." : ""}\n`,
  );
  return 0;
}

/** `"keys": command`, or in older words `"keys":"command"`. */
async function bindCommand(
  shell: Shell,
  text: string,
  keymap: string | undefined,
): Promise<number> {
  if (!text.trimStart().startsWith('"')) {
    await shell.complain(`bind: ${text}: first non-whitespace character is not \`"'`);
    return 1;
  }
  const parts = splitBinding(text.trim());
  if (parts === undefined) {
    await shell.complain(`bind: ${text}: missing colon separator`);
    return 1;
  }
  const command = /^"(.*)"$/s.exec(parts.action)?.[1] ?? parts.action;
  shell.keyBindings.bind(parts.sequence, { kind: "command", text: command }, keymap);
  return 0;
}

function entries(shell: Shell, keymap: string | undefined): [string, Binding][] {
  const [name, prefix] = shell.keyBindings.findKeymap(keymap) ?? (["emacs", ""] as const);
  return listBindings(shell.keyBindings.keymap(name))
    .filter(([sequence]) => sequence.startsWith(prefix))
    .map(([sequence, binding]) => [sequence.slice(prefix.length), binding]);
}

function boundTo(shell: Shell, name: string, keymap: string | undefined): [string, Binding][] {
  const bound = entries(shell, keymap).filter(
    ([, binding]) => binding.kind === "function" && ownName(binding.name) === ownName(name),
  );
  return name === "self-insert" ? [...bound, ...selfInserting(shell, keymap)] : bound;
}

/** One function has two names. */
function ownName(name: string): string {
  return name === "insert-last-argument" ? "yank-last-arg" : name;
}

/** Characters that are bound to nothing else insert themselves. */
function selfInserting(shell: Shell, keymap: string | undefined): [string, Binding][] {
  const found = shell.keyBindings.findKeymap(keymap) ?? ["emacs", ""];
  if (found[0] === "vi-command" || found[1] !== "") return [];
  const bound = shell.keyBindings.keymap(found[0]);
  const characters: [string, Binding][] = [];
  for (let code = 32; code < 127; code++) {
    const character = String.fromCharCode(code);
    if (!bound.has(character))
      characters.push([character, { kind: "function", name: "self-insert" }]);
  }
  return characters;
}

/** An escape is shown as Meta where the terminal is not asked for more than seven bits. */
function quoted(shell: Shell, sequence: string): string {
  return `"${encodeSequence(sequence, !shell.isEditing)}"`;
}

type Shower = (name: string, keys: readonly string[]) => string;

const functionLines: Shower = (name, keys) =>
  keys.length === 0 ? `# ${name} (not bound)\n` : keys.map((key) => `${key}: ${name}\n`).join("");

const functionSentence: Shower = (name, keys) => {
  if (keys.length === 0) return `${name} is not bound to any keys\n`;
  const more = keys.length > 5 ? ", ...\n" : ".\n";
  return `${name} can be found on ${keys.slice(0, 5).join(", ")}${more}`;
};

function listFunctions(shell: Shell, keymap: string | undefined, show: Shower): string {
  return bindableFunctions
    .map((name) =>
      show(
        name,
        boundTo(shell, name, keymap).map(([sequence]) => quoted(shell, sequence)),
      ),
    )
    .join("");
}

function listMacros(
  shell: Shell,
  keymap: string | undefined,
  show: (keys: string, macro: string) => string,
): string {
  return entries(shell, keymap)
    .map(([sequence, binding]) =>
      binding.kind === "macro"
        ? show(encodeSequence(sequence, !shell.isEditing), encodeSequence(binding.text))
        : "",
    )
    .join("");
}

function listCommands(shell: Shell, keymap: string | undefined): string {
  return entries(shell, keymap)
    .map(([sequence, binding]) =>
      binding.kind === "command" ? `${quoted(shell, sequence)}: "${binding.text}"\n` : "",
    )
    .join("");
}

import { quoteIfNeeded } from "../expansion/quote-text.ts";
import { valueText } from "../expansion/transform.ts";
import { listFunctions } from "../run/print-declarations.ts";
import { findSetOption, setOptions } from "../state/options.ts";
import type { Shell } from "../state/shell.ts";
import { noticeOption } from "../state/watched-variables.ts";
import { writeOutput } from "./echo.ts";

const usage = "set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]";

export async function set(shell: Shell, words: readonly string[]): Promise<number> {
  if (words.length === 1)
    return writeOutput(
      shell,
      "set",
      listVariables(shell) + (shell.options.has("posix") ? "" : listFunctions(shell)),
    );
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--" || word === "-") return setRest(shell, word, words.slice(at + 1));
    if (word === "+") continue;
    if (!/^[-+]./.test(word)) break;
    const outcome = await setLetters(shell, word, words[at + 1]);
    if (typeof outcome === "number") return outcome;
    if (outcome === "took-name") at += 1;
  }
  if (at < words.length) shell.positional = words.slice(at);
  return 0;
}

/** What follows `--`, or `-`, which also ends tracing. */
function setRest(shell: Shell, word: "--" | "-", rest: readonly string[]): number {
  if (word === "-") for (const name of ["xtrace", "verbose"]) shell.options.set(name, false);
  if (word === "--" || rest.length > 0) shell.positional = rest;
  return 0;
}

/** Letters of one word; `o` takes the next word as a name. A number is the status to end with. */
async function setLetters(
  shell: Shell,
  word: string,
  next: string | undefined,
): Promise<number | "done" | "took-name"> {
  const isOn = word.startsWith("-");
  let outcome: "done" | "took-name" = "done";
  for (const letter of word.slice(1)) {
    if (letter === "o") {
      if (next === undefined) return writeOutput(shell, "set", listOptions(shell, isOn));
      if (!(await setNamed(shell, next, isOn))) return 2;
      outcome = "took-name";
      continue;
    }
    const name = findSetOption(letter);
    if (name === undefined) return refuse(shell, `${isOn ? "-" : "+"}${letter}: invalid option`);
    shell.options.set(name, isOn);
  }
  return outcome;
}

async function setNamed(shell: Shell, name: string, isOn: boolean): Promise<boolean> {
  if (setOptions.some((row) => row[1] === name)) {
    shell.options.set(name, isOn);
    noticeOption(shell, name);
    return true;
  }
  await shell.complain(`set: ${name}: invalid option name`);
  return false;
}

async function refuse(shell: Shell, message: string): Promise<number> {
  await shell.complain(`set: ${message}`);
  await shell.write(2, `set: usage: ${usage}\n`);
  return 2;
}

function listOptions(shell: Shell, isTable: boolean): string {
  const names = setOptions.map((row) => row[1]).toSorted();
  if (isTable)
    return names
      .map((name) => `${name.padEnd(15)}\t${shell.options.has(name) ? "on" : "off"}\n`)
      .join("");
  return names.map((name) => `set ${shell.options.has(name) ? "-" : "+"}o ${name}\n`).join("");
}

function listVariables(shell: Shell): string {
  let text = "";
  const { variables } = shell;
  for (const name of variables.names()) {
    const variable = variables.find(name);
    const value = variable && variables.valueOf(variable);
    if (value === undefined || (typeof value === "object" && !value.isAssigned)) continue;
    if (typeof value === "string") text += `${name}=${value === "" ? "" : quoteIfNeeded(value)}\n`;
    else text += `${name}=${valueText(value)}\n`;
  }
  return text;
}

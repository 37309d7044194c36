import { quoteIfNeeded } from "../expansion/quote-text.ts";
import { findSetOption, setOptions } from "../state/options.ts";
import type { Shell } from "../state/shell.ts";
import { IndexedArray } from "../state/variables.ts";
import { writeOutput } from "./echo.ts";

const usage = "set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]";

export async function set(shell: Shell, words: readonly string[]): Promise<number> {
  if (words.length === 1) return writeOutput(shell, "set", listVariables(shell));
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--" || word === "-") {
      if (word === "-") for (const name of ["xtrace", "verbose"]) shell.options.set(name, false);
      shell.positional =
        word === "--" || at + 1 < words.length ? words.slice(at + 1) : shell.positional;
      return 0;
    }
    if (word === "+") continue;
    if (!/^[-+]./.test(word)) break;
    const isOn = word.startsWith("-");
    for (const letter of word.slice(1)) {
      if (letter === "o") {
        const name = words[at + 1];
        if (name === undefined) return writeOutput(shell, "set", listOptions(shell, isOn));
        at += 1;
        if (!(await setNamed(shell, name, isOn))) return 2;
        continue;
      }
      const name = findSetOption(letter);
      if (name === undefined) return refuse(shell, `${isOn ? "-" : "+"}${letter}: invalid option`);
      shell.options.set(name, isOn);
    }
  }
  if (at < words.length) shell.positional = words.slice(at);
  return 0;
}

async function setNamed(shell: Shell, name: string, isOn: boolean): Promise<boolean> {
  if (setOptions.some((row) => row[1] === name)) {
    shell.options.set(name, isOn);
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
  for (const name of shell.variables.names()) {
    const value = shell.variables.find(name)?.value;
    if (value === undefined) continue;
    if (typeof value === "string") {
      text += `${name}=${value === "" ? "" : quoteIfNeeded(value)}\n`;
      continue;
    }
    const pairs = value.keys.map((key) => {
      const element =
        value instanceof IndexedArray
          ? value.elements.get(Number(key))
          : value.elements.get(String(key));
      return `[${key}]="${element ?? ""}"`;
    });
    text += `${name}=(${pairs.join(" ")})\n`;
  }
  return text;
}

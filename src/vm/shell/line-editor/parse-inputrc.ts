/** Lines of inputrc and arguments of `bind`: bindings, `set`, `$if`. */
import { bindableFunctions } from "./function-names.ts";
import type { Binding, KeyBindings } from "./key-bindings.ts";
import { decodeKeyName, decodeSequence } from "./key-sequence.ts";

/** Does what a line says; answers what is wrong with it. */
export function applyLine(
  bindings: KeyBindings,
  line: string,
  keymap?: string,
): string | undefined {
  const text = line.trim();
  if (text === "" || text.startsWith("#")) return undefined;
  const setting = /^set\s+(\S+)\s*(.*)$/i.exec(text);
  if (setting !== null) {
    const [, name = "", value = ""] = setting;
    const isKnown = bindings.setVariable(name.toLowerCase(), value.replace(/^"(.*)"$/, "$1"));
    return isKnown ? undefined : `${name}: unknown variable name`;
  }
  const parts = splitBinding(text);
  if (parts === undefined) return `${text}: no key sequence terminator`;
  const binding = readAction(parts.action);
  if (binding !== undefined) bindings.bind(parts.sequence, binding, keymap);
  return undefined;
}

export interface BindingParts {
  readonly sequence: string;
  readonly action: string;
}

/** `"\C-x": action` or `Control-x: action`; undefined without a colon. */
export function splitBinding(text: string): BindingParts | undefined {
  if (text.startsWith('"')) {
    const quoted = /^"((?:[^"\\]|\\.)*)"\s*:?\s*(.*)$/s.exec(text);
    const hasColon = /^"(?:[^"\\]|\\.)*"\s*:/.test(text);
    if (quoted === null || !hasColon) return undefined;
    return { sequence: decodeSequence(quoted[1] ?? ""), action: quoted[2] ?? "" };
  }
  const named = /^([^\s:]+)\s*:\s*(.*)$/s.exec(text);
  if (named === null) return undefined;
  return { sequence: decodeKeyName(named[1] ?? ""), action: named[2] ?? "" };
}

function readAction(text: string): Binding | undefined {
  const macro = /^(["'])(.*?)\1?$/s.exec(text);
  if (macro !== null) return { kind: "macro", text: decodeSequence(macro[2] ?? "") };
  const name = text.split(/\s/)[0]?.toLowerCase() ?? "";
  return bindableFunctions.includes(name) ? { kind: "function", name } : undefined;
}

/** Does what a whole file says. What a line has wrong is passed over, as nobody could read it. */
export function applyInputrc(
  bindings: KeyBindings,
  text: string,
  facts: { readonly mode: string; readonly term: string },
): void {
  const conditions: boolean[] = [];
  for (const line of text.split("\n")) {
    const directive = /^\s*\$(if|else|endif|include)\b\s*(.*?)\s*$/.exec(line);
    if (directive === null) {
      if (!conditions.includes(false)) applyLine(bindings, line);
    } else if (directive[1] === "if") {
      conditions.push(holds(directive[2] ?? "", facts));
    } else if (directive[1] === "else") {
      conditions.push(!(conditions.pop() ?? true));
    } else if (directive[1] === "endif") {
      conditions.pop();
    }
  }
}

function holds(test: string, facts: { readonly mode: string; readonly term: string }): boolean {
  const [, name = test, value = ""] = /^(\w+)\s*=+\s*(.*)$/.exec(test) ?? [];
  if (name === "mode") return value === facts.mode;
  if (name === "term") return value === facts.term || value === facts.term.split("-")[0];
  return name.toLowerCase() === "bash";
}

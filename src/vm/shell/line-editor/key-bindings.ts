/** What keys do: the keymaps and the variables that `bind` and inputrc change. */
import { emacsKeys, viCommandKeys, viInsertKeys } from "./default-keys.ts";
import { defaultVariables } from "./default-variables.ts";
import { decodeSequence } from "./key-sequence.ts";

export type Binding =
  | { readonly kind: "function"; readonly name: string }
  /** Keys typed in place of the sequence. */
  | { readonly kind: "macro"; readonly text: string }
  /** Shell source that may change the line. */
  | { readonly kind: "command"; readonly text: string };

export type KeymapName = "emacs" | "vi-insert" | "vi-command";

/** More bindings than this in a keymap are refused. */
const BINDING_LIMIT = 4096;

/** The names of keymaps; those below another are its sequences with a prefix. */
const keymapNames: ReadonlyMap<string, readonly [KeymapName, string]> = new Map([
  ["emacs", ["emacs", ""]],
  ["emacs-standard", ["emacs", ""]],
  ["emacs-meta", ["emacs", "\u001b"]],
  ["emacs-ctlx", ["emacs", "\u0018"]],
  ["vi", ["vi-command", ""]],
  ["vi-move", ["vi-command", ""]],
  ["vi-command", ["vi-command", ""]],
  ["vi-insert", ["vi-insert", ""]],
]);

/** One shell's keys; subshells share them. */
export class KeyBindings {
  readonly #keymaps: ReadonlyMap<KeymapName, Map<string, Binding>> = new Map([
    ["emacs", makeKeymap(emacsKeys)],
    ["vi-insert", makeKeymap(viInsertKeys)],
    ["vi-command", makeKeymap(viCommandKeys)],
  ]);
  readonly #variables = new Map(defaultVariables);
  /** Where bindings without a keymap go. */
  #keymap = "emacs";

  keymap(name: KeymapName): ReadonlyMap<string, Binding> {
    return this.#keymaps.get(name) ?? new Map<string, Binding>();
  }

  /** A keymap by the name a user gives it, and the prefix of its sequences. */
  findKeymap(name = this.#keymap): readonly [KeymapName, string] | undefined {
    return keymapNames.get(name);
  }

  /** Binds a sequence, or unbinds it. Answers false where there is no room. */
  bind(sequence: string, binding: Binding | undefined, keymap = this.#keymap): boolean {
    const [name, prefix] = keymapNames.get(keymap) ?? ["emacs", ""];
    const map = this.#keymaps.get(name);
    if (map === undefined || sequence === "") return true;
    if (binding === undefined) map.delete(prefix + sequence);
    else if (map.size >= BINDING_LIMIT) return false;
    else map.set(prefix + sequence, binding);
    return true;
  }

  variable(name: string): string {
    return this.#variables.get(name) ?? "";
  }

  isOn(name: string): boolean {
    return this.variable(name) === "on";
  }

  variables(): ReadonlyMap<string, string> {
    return this.#variables;
  }

  /** Answers false for a variable there is not. */
  setVariable(name: string, value: string): boolean {
    const known = defaultVariables.get(name);
    if (known === undefined) return false;
    if (name === "keymap") {
      if (keymapNames.has(value)) this.#keymap = value;
      this.#variables.set(name, this.#keymap);
      return true;
    }
    const isSwitch = known === "on" || known === "off";
    const isOn = value === "" || value === "1" || value.toLowerCase() === "on";
    this.#variables.set(name, isSwitch ? (isOn ? "on" : "off") : value);
    if (name === "editing-mode") this.#keymap = value === "vi" ? "vi-insert" : "emacs";
    return true;
  }
}

/** Sequences in the order of their characters, as they are listed. */
export function listBindings(
  keymap: ReadonlyMap<string, Binding>,
): readonly (readonly [string, Binding])[] {
  return [...keymap].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function makeKeymap(keys: ReadonlyMap<string, readonly string[]>): Map<string, Binding> {
  const keymap = new Map<string, Binding>();
  for (const [name, sequences] of keys)
    for (const sequence of sequences)
      keymap.set(decodeSequence(sequence), { kind: "function", name });
  return keymap;
}

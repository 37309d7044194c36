/** Searching the history while typing: C-r, C-s, and M-p, M-n. */
import type { Binding } from "../key-bindings.ts";
import type { EditCommand, LineEditor } from "../line-editor.ts";

export const searchCommands: readonly (readonly [string, EditCommand])[] = [
  ["reverse-search-history", (editor) => new Search(editor, -1).run()],
  ["forward-search-history", (editor) => new Search(editor, 1).run()],
  ["non-incremental-reverse-search-history", (editor) => searchOnce(editor, -1)],
  ["non-incremental-forward-search-history", (editor) => searchOnce(editor, 1)],
  ["vi-search", (editor, { key }) => searchOnce(editor, key === "?" ? 1 : -1)],
  ["vi-search-again", (editor, { key }) => searchAgain(editor, key === "N" ? 1 : -1)],
];

/** What ends a search and stays out of the line: readline's isearch-terminators. */
const terminators = new Set(["\u001b", "\n"]);

class Search {
  readonly #editor: LineEditor;
  readonly #start: { readonly text: string; readonly point: number; readonly at: number };
  #step: 1 | -1;
  #wanted = "";
  #isFailing = false;
  #index: number;
  #place: number;

  constructor(editor: LineEditor, step: 1 | -1) {
    const { line, history } = editor;
    this.#editor = editor;
    this.#step = step;
    this.#start = { text: line.text, point: line.point, at: history.at };
    this.#index = history.at;
    this.#place = line.point;
  }

  /** Reads keys until one is no part of the search; that one then does what it does. */
  async run(): Promise<void> {
    const { keys } = this.#editor;
    for (;;) {
      if (!(await keys.isWaiting())) await this.#show();
      const key = await keys.readCharacter();
      if (key === undefined) return;
      if (key === "\u0007") return this.#abort();
      if (terminators.has(key)) {
        if (key === "\u001b" && (await keys.isWaiting())) keys.push(key);
        return this.#end();
      }
      if (!(await this.#take(key))) {
        await this.#end();
        keys.push(key);
        return;
      }
    }
  }

  /** Answers whether the key is one of the search. */
  async #take(key: string): Promise<boolean> {
    const step = this.#directionOf(key);
    if (step !== undefined) {
      this.#step = step;
      if (this.#wanted === "") this.#wanted = this.#editor.memory.get("search") ?? "";
      else this.#place += step;
      this.#find();
      return true;
    }
    if (key === "\u007f" || key === "\b") {
      this.#wanted = this.#wanted.slice(0, -1);
      this.#index = this.#start.at;
      this.#place = this.#start.point;
      this.#find();
      return true;
    }
    if (key === "\u0016") {
      this.#wanted += (await this.#editor.keys.readCharacter()) ?? "";
      this.#find();
      return true;
    }
    if (key < " ") return false;
    this.#wanted += key;
    this.#find();
    return true;
  }

  #directionOf(key: string): 1 | -1 | undefined {
    const { shell, keymap } = this.#editor;
    const binding: Binding | undefined = shell.keyBindings.keymap(keymap).get(key);
    if (binding?.kind !== "function") return undefined;
    if (binding.name === "reverse-search-history") return -1;
    return binding.name === "forward-search-history" ? 1 : undefined;
  }

  /** From where it stands on: first in the same line, then in the next ones. */
  #find(): void {
    const { history } = this.#editor;
    if (this.#wanted === "") return;
    let place = this.#place;
    for (let index = this.#index; index >= 0 && index <= history.end; index += this.#step) {
      const text = this.#text(index);
      const found =
        this.#step === -1
          ? place < 0
            ? -1
            : text.lastIndexOf(this.#wanted, place)
          : text.indexOf(this.#wanted, Math.max(0, place));
      const isSame = index !== this.#index && text === this.#text(this.#index);
      if (found !== -1 && !isSame) {
        this.#isFailing = false;
        this.#index = index;
        this.#place = found;
        return;
      }
      place = this.#step === -1 ? Number.MAX_SAFE_INTEGER : 0;
    }
    this.#isFailing = true;
  }

  /** A line of the history; the one that was being edited as it was then. */
  #text(index: number): string {
    return index === this.#start.at ? this.#start.text : this.#editor.history.text(index);
  }

  async #show(): Promise<void> {
    const { line } = this.#editor;
    const text = this.#wanted === "" ? this.#start.text : this.#text(this.#index);
    line.reset(text, this.#wanted === "" ? this.#start.point : Math.min(this.#place, text.length));
    const failing = this.#isFailing ? "failed " : "";
    const way = this.#step === -1 ? "reverse-" : "";
    await this.#editor.draw(`(${failing}${way}i-search)\`${this.#wanted}': `);
    if (this.#isFailing) await this.#editor.ring();
  }

  async #end(): Promise<void> {
    const { line, history, memory } = this.#editor;
    if (this.#wanted !== "") {
      memory.set("search", this.#wanted);
      const text = history.go(this.#index, this.#start.text) ?? this.#text(this.#index);
      line.reset(text, Math.min(Math.max(0, this.#place), text.length));
    } else {
      line.reset(this.#start.text, this.#start.point);
    }
    await this.#editor.draw();
  }

  async #abort(): Promise<void> {
    const { line } = this.#editor;
    line.reset(this.#start.text, this.#start.point);
    await this.#editor.draw();
    await this.#editor.ring();
  }
}

/** Reads what to look for on a line of its own, then looks once. */
async function searchOnce(editor: LineEditor, step: 1 | -1): Promise<void> {
  const { line, keys, memory } = editor;
  const before = { text: line.text, point: line.point };
  let wanted = "";
  for (;;) {
    line.reset(wanted);
    await editor.draw(editor.keymap === "emacs" ? ":" : step === -1 ? "/" : "?");
    const key = await keys.readCharacter();
    if (key === undefined || key === "\u0007" || key === "\u001b") {
      wanted = "";
      break;
    }
    if (key === "\r" || key === "\n") break;
    if (key === "\u007f" || key === "\b") wanted = wanted.slice(0, -1);
    else if (key >= " ") wanted += key;
  }
  line.reset(before.text, before.point);
  if (wanted === "") return;
  memory.set("once", wanted);
  await searchAgain(editor, step);
}

async function searchAgain(editor: LineEditor, step: 1 | -1): Promise<void> {
  const { line, history, memory } = editor;
  const wanted = memory.get("once") ?? "";
  const index = history.find(history.at + step, step, (text) => text.includes(wanted));
  if (index === undefined || wanted === "") return editor.ring();
  const text = history.go(index, line.text);
  if (text !== undefined) line.reset(text);
  return undefined;
}

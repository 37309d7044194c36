/** Reads one line with editing: keys come in, commands change the line, the screen follows. */
import { signals } from "../../../kernel/index.ts";
import { runPendingTraps } from "../run/run-trap.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { editCommands } from "./edit-commands.ts";
import { EditLine } from "./edit-line.ts";
import { EditorTerminal } from "./editor-terminal.ts";
import { HistoryCursor } from "./history-cursor.ts";
import type { Binding, KeymapName } from "./key-bindings.ts";
import { KeyInput } from "./key-input.ts";
import { KillRing } from "./kill-ring.ts";
import { runShellBinding } from "./run-shell-binding.ts";
import { Screen } from "./screen.ts";

/** How a command is called. */
export interface Call {
  /** The numeric argument, 1 without one. */
  readonly count: number;
  readonly hasCount: boolean;
  /** The keys that called it. */
  readonly key: string;
}

/** Something a key does to the line. */
export type EditCommand = (editor: LineEditor, call: Call) => void | Promise<void>;

const INTERRUPTED = 130;
/** A larger numeric argument is taken as this. */
const COUNT_LIMIT = 1_000_000;
/** Functions after which the numeric argument is still being typed. */
const argumentFunctions = new Set(["digit-argument", "universal-argument", "vi-arg-digit"]);

export class LineEditor {
  readonly shell: Shell;
  readonly terminal: EditorTerminal;
  readonly keys: KeyInput;
  readonly screen = new Screen();
  readonly line = new EditLine();
  readonly kills = new KillRing();
  history: HistoryCursor;
  keymap: KeymapName = "emacs";
  /** The command that ran before the one that runs. */
  lastFunction = "";
  /** The numeric argument as far as it is typed. */
  argument: { value: number; isNegative: boolean; hasDigits: boolean } | undefined;
  /** What is typed next replaces characters. */
  isOverwriting = false;
  /** The next line starts with this one of the history (C-o). */
  nextIndex: number | undefined;
  /** What the last text change of vi mode was, for `.`. */
  readonly memory = new Map<string, string>();
  #prompt = "";
  #promptHead = "";
  #outcome: "accept" | "end" | undefined;

  constructor(shell: Shell, fd = 0) {
    this.shell = shell;
    this.terminal = new EditorTerminal(shell, fd);
    this.keys = new KeyInput(this.terminal);
    this.history = new HistoryCursor(shell.history);
    this.terminal.onSignals = () => this.#takeSignals();
  }

  /**
   * Edits a line, starting from `text`; undefined at the end of input. Ctrl-C throws a ShellError of
   * status 130. The terminal is as it was before, whatever happens.
   */
  async read(prompt: string, text = ""): Promise<string | undefined> {
    const cut = prompt.lastIndexOf("\n") + 1;
    this.#promptHead = prompt.slice(0, cut);
    this.#prompt = prompt.slice(cut);
    this.#start(text);
    await this.terminal.enter();
    try {
      await this.terminal.write(this.#bracketedPaste("h") + withoutMarks(this.#promptHead));
      this.screen.reset(await this.terminal.size());
      await this.draw();
      while (this.#outcome === undefined) await this.#step();
      await this.#finish();
      return this.#outcome === "end" ? undefined : this.line.text;
    } finally {
      await this.terminal.leave();
    }
  }

  #start(text: string): void {
    this.#outcome = undefined;
    this.history = new HistoryCursor(this.shell.history);
    this.line.reset(text);
    this.lastFunction = "";
    this.argument = undefined;
    this.keymap = this.shell.options.has("vi") ? "vi-insert" : "emacs";
    const index = this.nextIndex;
    this.nextIndex = undefined;
    if (index === undefined) return;
    const next = this.history.go(index, text);
    if (next !== undefined) this.line.reset(next);
  }

  async #finish(): Promise<void> {
    this.line.point = this.line.text.length;
    await this.draw();
    await this.terminal.write(this.screen.leave() + this.#bracketedPaste("l"));
  }

  #bracketedPaste(way: "h" | "l"): string {
    return this.shell.keyBindings.isOn("enable-bracketed-paste") ? `\u001b[?2004${way}` : "";
  }

  /** One key sequence and what it does. */
  async #step(): Promise<void> {
    const { keyBindings } = this.shell;
    const timeoutMs = Number(keyBindings.variable("keyseq-timeout")) || 500;
    const key = await this.keys.readKey(keyBindings.keymap(this.keymap), timeoutMs);
    if (key === undefined) {
      this.#outcome = this.line.isEmpty ? "end" : "accept";
      return;
    }
    await this.perform(key.sequence, key.binding);
    if (this.#outcome === undefined && !(await this.keys.isWaiting())) await this.draw();
  }

  /** Does what a sequence is bound to. */
  async perform(sequence: string, binding: Binding | undefined): Promise<void> {
    if (binding?.kind === "macro") {
      this.keys.push(binding.text);
      return;
    }
    if (binding?.kind === "command") {
      await runShellBinding(this, binding.text);
      return;
    }
    const name = binding?.name ?? this.#unboundName(sequence);
    await this.call(name, sequence);
  }

  /** Runs a command by its name. */
  async call(name: string, key = ""): Promise<void> {
    const command = editCommands.get(name);
    const { argument } = this;
    const isArgument = argumentFunctions.has(name);
    if (!isArgument) this.argument = undefined;
    const value = argument === undefined ? 1 : argument.hasDigits ? argument.value : 1;
    const count = Math.min(COUNT_LIMIT, value) * (argument?.isNegative === true ? -1 : 1);
    if (command === undefined) await this.ring();
    else await command(this, { count, hasCount: argument !== undefined, key });
    if (!isArgument) this.lastFunction = name;
  }

  #unboundName(sequence: string): string {
    const isText = sequence >= " " && sequence !== "\u007f" && !sequence.startsWith("\u001b");
    return isText && this.keymap !== "vi-command" ? "self-insert" : "";
  }

  accept(): void {
    this.#outcome = "accept";
  }

  endInput(): void {
    this.#outcome = "end";
  }

  /** Shows the line as it is now, under a prompt of its own where one is given. */
  async draw(prompt = this.#prompt): Promise<void> {
    const { text, point } = this.line;
    await this.terminal.write(this.screen.draw({ prompt, text, point }));
  }

  /** Takes the line off the screen, shows something, and draws the line anew below it. */
  async interject(text: string): Promise<void> {
    const { point } = this.line;
    this.line.point = this.line.text.length;
    await this.draw();
    this.line.point = point;
    await this.terminal.write(`${this.screen.leave()}${text}`);
    await this.redraw();
  }

  /** Draws prompt and line where the cursor is. */
  async redraw(): Promise<void> {
    await this.terminal.write(withoutMarks(this.#promptHead));
    this.screen.reset(await this.terminal.size());
    await this.draw();
  }

  /** A new prompt for the line at hand. */
  setPrompt(prompt: string): void {
    const cut = prompt.lastIndexOf("\n") + 1;
    this.#promptHead = prompt.slice(0, cut);
    this.#prompt = prompt.slice(cut);
  }

  async ring(): Promise<void> {
    if (this.shell.keyBindings.variable("bell-style") !== "none")
      await this.terminal.write("\u0007");
  }

  /** Cuts from `start` to `end` for C-y. */
  kill(start: number, end: number, side: "forward" | "backward"): void {
    const isJoined = killFunctions.has(this.lastFunction);
    const joint = side === "forward" ? "append" : "prepend";
    this.kills.add(this.line.remove(start, end), isJoined ? joint : "new");
  }

  async #takeSignals(): Promise<void> {
    const taken = await this.terminal.takeSignals();
    const { shell } = this;
    if (taken.has(signals.SIGWINCH)) await this.#resize();
    const { caughtSignals } = shell.traps;
    const pending = [...taken].filter(
      (signal) => signal === signals.SIGHUP || caughtSignals.includes(signal),
    );
    shell.pendingSignals.push(...pending);
    if (taken.has(signals.SIGINT)) await this.#interrupt();
    if (pending.length === 0) return;
    await this.terminal.write(this.screen.erase());
    await runPendingTraps(shell);
    await this.redraw();
  }

  /** Ctrl-C: the line is left as it is, and not taken. */
  async #interrupt(): Promise<never> {
    this.line.point = this.line.text.length;
    await this.draw();
    await this.terminal.write(`^C${this.#bracketedPaste("l")}`);
    throw new ShellError("", "line", INTERRUPTED);
  }

  /** The window has another size: everything is drawn anew from the prompt's row on. */
  async #resize(): Promise<void> {
    const { variables, options } = this.shell;
    const erased = this.screen.erase();
    const size = await this.terminal.size();
    this.screen.reset(size);
    if (options.has("checkwinsize")) {
      variables.set("LINES", String(size.rows));
      variables.set("COLUMNS", String(size.columns));
    }
    await this.terminal.write(erased);
    await this.draw();
  }
}

/** Functions that cut text: what they cut one after the other is one. */
const killFunctions = new Set([
  "kill-line",
  "backward-kill-line",
  "unix-line-discard",
  "kill-whole-line",
  "kill-word",
  "shell-kill-word",
  "backward-kill-word",
  "shell-backward-kill-word",
  "unix-word-rubout",
  "unix-filename-rubout",
  "kill-region",
  "copy-region-as-kill",
]);

function withoutMarks(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the marks
  return text.replace(/[\x01\x02]/g, "");
}

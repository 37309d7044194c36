/** npm's command line: settings anywhere, the command's words between them. */
import { flags, isKnownSetting, lists, shorthands } from "./setting-names.ts";

export interface CommandLine {
  /** The command and its words, with those behind `--`. */
  readonly words: readonly string[];
  readonly settings: ReadonlyMap<string, readonly string[]>;
  /** What to say of odd settings. */
  readonly warnings: readonly string[];
}

export interface ReadOptions {
  /** Settings end at the first word, as for npx. */
  readonly stopsAtWord?: boolean;
  /** Letters that mean something else. */
  readonly letters?: ReadonlyMap<string, readonly [name: string, value?: string]>;
}

export function readCommandLine(words: readonly string[], options: ReadOptions = {}): CommandLine {
  return new Reader(words, options).read();
}

class Reader {
  readonly #rest: string[];
  readonly #options: ReadOptions;
  readonly #words: string[] = [];
  readonly #settings = new Map<string, string[]>();
  readonly #warnings: string[] = [];

  constructor(words: readonly string[], options: ReadOptions) {
    this.#rest = [...words];
    this.#options = options;
  }

  read(): CommandLine {
    for (let word = this.#rest.shift(); word !== undefined; word = this.#rest.shift()) {
      if (word === "--") {
        this.#words.push(...this.#rest);
        break;
      }
      if (word.startsWith("--")) this.#long(word.slice(2));
      else if (word.length > 1 && word.startsWith("-")) this.#short(word.slice(1));
      else {
        this.#words.push(word);
        if (this.#options.stopsAtWord !== true) continue;
        this.#words.push(...this.#rest);
        break;
      }
    }
    return { words: this.#words, settings: this.#settings, warnings: this.#warnings };
  }

  #long(text: string): void {
    const at = text.indexOf("=");
    const name = at === -1 ? text : text.slice(0, at);
    const value = at === -1 ? undefined : text.slice(at + 1);
    const short = shorthands.get(name);
    if (short !== undefined && name.length > 1) {
      this.#add(short[0], value ?? short[1]);
      return;
    }
    if (!isKnownSetting(name) && name.startsWith("no-")) {
      const positive = name.slice(3);
      if (isKnownSetting(positive)) {
        this.#set(positive, value === "false" ? "true" : "false");
        return;
      }
    }
    this.#add(name, value);
  }

  /** One letter, a name of several, or several letters together. */
  #short(text: string): void {
    const at = text.indexOf("=");
    const name = at === -1 ? text : text.slice(0, at);
    const value = at === -1 ? undefined : text.slice(at + 1);
    const whole = this.#find(name);
    if (whole !== undefined) {
      if (name.length > 1 && !/^d+$/.test(name))
        this.#warnings.push(
          `-${name} is not a valid single-hyphen cli flag and will be removed in the future`,
        );
      this.#add(whole[0], value ?? whole[1]);
      return;
    }
    const letters = [...name].map((letter) => this.#find(letter));
    if (letters.includes(undefined)) {
      this.#add(name, value);
      return;
    }
    for (const one of letters) if (one !== undefined) this.#add(one[0], one[1]);
  }

  #find(name: string): readonly [string, string?] | undefined {
    return this.#options.letters?.get(name) ?? shorthands.get(name);
  }

  #add(name: string, value: string | undefined): void {
    if (!isKnownSetting(name)) {
      this.#warnings.push(
        `Unknown cli config "--${name}". This will stop working in the next major version of npm.`,
      );
      this.#set(name, value ?? this.#takeBoolean() ?? "true");
      return;
    }
    if (flags.has(name)) this.#set(name, value ?? this.#takeBoolean() ?? "true");
    else this.#set(name, value ?? this.#takeValue());
  }

  #set(name: string, value: string): void {
    const values = lists.has(name) ? (this.#settings.get(name) ?? []) : [];
    this.#settings.set(name, [...values, value]);
  }

  #takeBoolean(): string | undefined {
    const [next] = this.#rest;
    return next === "true" || next === "false" ? this.#rest.shift() : undefined;
  }

  #takeValue(): string {
    const [next] = this.#rest;
    if (next === undefined || (next.startsWith("-") && next !== "-")) return "";
    return this.#rest.shift() ?? "";
  }
}

/** One run of npm: where it is, what it was told, what it says. */
import { encodeText, type Sys } from "../../../kernel/index.ts";
import { Output, writeAll } from "../output.ts";
import type { Config } from "./config.ts";
import type { Json } from "./json.ts";
import { below } from "./paths.ts";

export interface NpmPlaces {
  readonly cwd: string;
  /** The project's folder. */
  readonly local: string;
  /** Where `-g` installs: `lib/node_modules` and `bin` below it. */
  readonly global: string;
  /** The workspace that the working directory is in. */
  readonly workspace: string | undefined;
}

export class NpmRun {
  readonly sys: Sys;
  readonly config: Config;
  readonly places: NpmPlaces;
  readonly environment: ReadonlyMap<string, string>;
  /** The command by its own name: `install` for `npm i`. */
  readonly command: string;
  readonly words: readonly string[];
  readonly out: Output;
  readonly #startedMs: number;
  status = 0;

  constructor(
    sys: Sys,
    facts: {
      readonly config: Config;
      readonly places: NpmPlaces;
      readonly environment: ReadonlyMap<string, string>;
      readonly command: string;
      readonly words: readonly string[];
      readonly startedMs: number;
    },
  ) {
    this.sys = sys;
    this.config = facts.config;
    this.places = facts.places;
    this.environment = facts.environment;
    this.command = facts.command;
    this.words = facts.words;
    this.#startedMs = facts.startedMs;
    this.out = new Output(sys, 1);
  }

  /** The same run under another command. */
  as(command: string, words: readonly string[]): NpmRun {
    const { config, places, environment } = this;
    const startedMs = this.#startedMs;
    return new NpmRun(this.sys, { config, places, environment, command, words, startedMs });
  }

  get isGlobal(): boolean {
    return this.config.is("global") || this.config.get("location") === "global";
  }

  /** The folder whose node_modules is worked on. */
  get root(): string {
    return this.isGlobal ? below(this.places.global, "lib") : this.places.local;
  }

  /** One line, or several, on fd 1. */
  print(text: string): void {
    this.out.addText(`${text}\n`);
  }

  printJson(value: Json | undefined): void {
    this.print(JSON.stringify(value ?? {}, null, 2));
  }

  async warn(text: string, label = ""): Promise<void> {
    if (this.config.says("warn")) await this.#say("warn", text, label);
  }

  async notice(text: string): Promise<void> {
    if (this.config.says("notice")) await this.#say("notice", text, "");
  }

  async error(text: string): Promise<void> {
    if (this.config.says("error")) await this.#say("error", text, "");
  }

  async #say(level: string, text: string, label: string): Promise<void> {
    await this.out.flush();
    const start = label === "" ? `npm ${level}` : `npm ${level} ${label}`;
    const lines = text.split("\n").map((line) => `${start} ${line}`.trimEnd());
    await writeAll(this.sys, 2, encodeText(`${lines.join("\n")}\n`));
  }

  /** The time since the start, as npm shows it: `407ms`, `2s`. */
  async elapsed(): Promise<string> {
    const ms = (await this.sys.clock()).monotonicMs - this.#startedMs;
    if (ms >= 60_000) return `${Math.round(ms / 60_000)}m`;
    return ms >= 1000 ? `${Math.round(ms / 1000)}s` : `${Math.round(ms)}ms`;
  }
}

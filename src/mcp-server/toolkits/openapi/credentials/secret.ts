// One secret of the host: from a variable, a file or a command.
import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { ToolError } from "../../../../toolkit-cli/index.ts";
import type { SecretOption } from "../openapi-options.ts";
import type { SecretValues } from "./secret-values.ts";

export interface SecretPlace {
  /** Where relative paths begin and commands run: the folder of the configuration. */
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly values: SecretValues;
}

const COMMAND_LIMIT_MS = 30_000;
const LIMIT_BYTES = 64 * 1024;

/** Read when first needed and kept until it is refused. Fails with a ToolError "unavailable". */
export class Secret {
  readonly #option: SecretOption;
  readonly #place: SecretPlace;
  #reading: Promise<string> | undefined;

  constructor(option: SecretOption, place: SecretPlace) {
    this.#option = option;
    this.#place = place;
  }

  async read(): Promise<string> {
    this.#reading ??= this.#read().catch((error: unknown) => {
      this.#reading = undefined;
      throw error;
    });
    return await this.#reading;
  }

  /** The next read looks again; false where nothing else can come of it. */
  forget(): boolean {
    this.#reading = undefined;
    return !("env" in this.#option);
  }

  async #read(): Promise<string> {
    const value = (await this.#take()).trim();
    if (value === "") throw missing(`${this.#words()} is empty`);
    this.#place.values.add(value);
    return value;
  }

  async #take(): Promise<string> {
    if ("env" in this.#option) {
      const value = this.#place.env[this.#option.env];
      if (value === undefined) throw missing(`${this.#words()} is not set for the server`);
      return value;
    }
    if ("file" in this.#option) return await this.#takeFile(this.#option.file);
    return await this.#takeCommand(this.#option.command);
  }

  async #takeFile(file: string): Promise<string> {
    try {
      const path = resolve(this.#place.directory, file);
      const { size } = await stat(path);
      if (size > LIMIT_BYTES) throw missing(`${this.#words()} has more than ${LIMIT_BYTES} bytes`);
      return await readFile(path, "utf8");
    } catch (error) {
      if (error instanceof ToolError) throw error;
      this.#place.log(`${this.#words()} cannot be read: ${String(error)}`);
      throw missing(`${this.#words()} cannot be read`);
    }
  }

  /** What the command says on stderr may name secrets: it is the log's, and hidden there. */
  async #takeCommand([program = "", ...words]: readonly string[]): Promise<string> {
    const { directory, env, log, values } = this.#place;
    const options = {
      cwd: directory,
      env,
      timeout: COMMAND_LIMIT_MS,
      killSignal: "SIGKILL",
      maxBuffer: LIMIT_BYTES,
      windowsHide: true,
    } as const;
    return await new Promise<string>((taken, failed) => {
      execFile(program, words, options, (error, stdout, stderr) => {
        if (error === null) return taken(stdout);
        // The error's own message repeats the command with all its words.
        const how = error.signal ?? error.code ?? "unknown";
        log(`${this.#words()} fails (${how}): ${values.hide(stderr.trim()).slice(-1000)}`);
        return failed(missing(`${this.#words()} fails (${how})`));
      });
    });
  }

  #words(): string {
    if ("env" in this.#option) return `The variable ${this.#option.env}`;
    if ("file" in this.#option) return `The file ${basename(this.#option.file)}`;
    return `The command ${basename(this.#option.command[0] ?? "")}`;
  }
}

function missing(what: string): ToolError {
  return new ToolError("unavailable", `${what}: the credentials of this toolkit come from there.`);
}

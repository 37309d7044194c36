import { encodeText, isKernelError } from "../../../kernel/index.ts";
import { MemoryLimitError } from "../memory-limit.ts";
import { UsageError } from "../options.ts";
import { defineProgram, errorWords, type Run } from "../program.ts";
import { readAllBytes } from "../read-all.ts";
import { isUtf8Locale } from "../regexp/characters.ts";
import { RegExpTooComplexError } from "../regexp/errors.ts";
import { resolvePath } from "../resolve-path.ts";
import { type Command, SedError } from "./command.ts";
import { Executor } from "./executor.ts";
import { InPlaceFile } from "./in-place.ts";
import { SedInput } from "./input.ts";
import { LineOutput, OutputFiles } from "./outputs.ts";
import { parseScript, type Script } from "./parse-script.ts";
import type { ScriptPart } from "./script-reader.ts";

/** Statuses of sed: an input that cannot be read, anything worse. */
const UNREADABLE = 2;
const FAILED = 4;

export const main = defineProgram(
  {
    name: "sed",
    usage: ["[OPTION]... {script-only-if-no-other-script} [input-file]..."],
    summary: "Edit the lines of each input-file by a script.",
    options: [
      { short: "n", long: "quiet", help: "print no line of its own accord" },
      { long: "silent", help: "same as --quiet" },
      { long: "debug", help: "(refused)" },
      { short: "e", long: "expression", value: "script", help: "add the script to the commands" },
      {
        short: "f",
        long: "file",
        value: "script-file",
        help: "add the file's contents to the commands",
      },
      { short: "E", long: "regexp-extended", help: "use extended regular expressions" },
      { short: "r", help: "same as -E" },
      {
        short: "i",
        long: "in-place",
        value: "SUFFIX",
        isOptional: true,
        help: "edit files in place (with a backup if SUFFIX is given)",
      },
      { long: "follow-symlinks", help: "follow symlinks when editing in place" },
      { short: "l", long: "line-length", value: "N", help: "where the command l breaks lines" },
      { long: "posix", help: "turn GNU's extensions off" },
      { long: "sandbox", help: "refuse the commands e, r and w" },
      { short: "s", long: "separate", help: "take files as separate, not as one stream" },
      { short: "u", long: "unbuffered", help: "write each line as it is made" },
      { short: "z", long: "null-data", help: "lines end in a NUL" },
      { short: "b", long: "binary", help: "(ignored)" },
    ],
    showsUsage: true,
  },
  async (run) => {
    try {
      return await new Sed(run).run();
    } catch (error) {
      if (error instanceof RegExpTooComplexError || error instanceof MemoryLimitError) {
        await run.warn(error.message);
        return FAILED;
      }
      if (!(error instanceof SedError)) throw error;
      await run.out.flush();
      await run.warn(error.message);
      return error.status;
    }
  },
);

class Sed {
  readonly #run: Run;
  readonly #delimiter: number;
  readonly #standard: LineOutput;
  #edited: InPlaceFile | undefined;

  constructor(run: Run) {
    this.#run = run;
    this.#delimiter = run.has("null-data") ? 0 : 10;
    this.#standard = new LineOutput(run.out, this.#delimiter);
  }

  async run(): Promise<number> {
    const run = this.#run;
    const { sys } = run;
    // Deviation: sed does not explain its program; --debug is refused.
    if (run.has("debug")) throw new SedError("--debug is not available");
    const environment = await sys.environ();
    const isUtf8 = isUtf8Locale(environment);
    const { script, files } = await this.#script(isUtf8);
    if (run.has("in-place") && files.length === 0) throw new SedError("no input files", FAILED);
    const outputs = new OutputFiles(sys, this.#standard, this.#delimiter);
    for (const name of writtenFiles(script.commands)) await outputs.open(name);
    const input = this.#input(files);
    const out = () => this.#edited?.out ?? this.#standard;
    const executor = new Executor(
      { sys, commands: script.commands, input, files: outputs, out },
      {
        isQuiet: script.isQuiet || run.has("quiet") || run.has("silent"),
        dropsLastLine: run.has("posix") || environment.has("POSIXLY_CORRECT"),
        isUtf8,
        isUnbuffered: run.has("unbuffered"),
        delimiter: this.#delimiter,
        width: this.#width(),
      },
    );
    const status = await executor.run();
    await outputs.close();
    await input.stop();
    return status === 0 ? run.status : status;
  }

  #width(): number {
    const width = Number.parseInt(this.#run.options.get("line-length") ?? "70", 10);
    return Number.isNaN(width) ? 0 : width;
  }

  async #script(isUtf8: boolean): Promise<{ script: Script; files: readonly string[] }> {
    const run = this.#run;
    const parts = await this.#parts();
    const [first, ...others] = run.operands;
    if (parts.length === 0 && first === undefined) throw new UsageError("");
    const isGiven = parts.length > 0;
    if (!isGiven) parts.push({ text: asLatin1(first ?? ""), expression: 1, file: "" });
    const script = parseScript(parts, {
      isExtended: run.has("regexp-extended") || run.has("r"),
      isPosix: run.has("posix"),
      isSandbox: run.has("sandbox"),
      isUtf8,
      delimiter: this.#delimiter,
    });
    return { script, files: isGiven ? run.operands : others };
  }

  /** The parts of the script in the order given; an `a\` at the end of one takes the next as text. */
  async #parts(): Promise<ScriptPart[]> {
    const { options } = this.#run;
    const expressions = options.all("expression").values();
    const files = options.all("file").values();
    const parts: ScriptPart[] = [];
    let count = 0;
    for (const name of options.order) {
      if (name === "file") parts.push(await this.#scriptFile(files.next().value ?? ""));
      if (name !== "expression") continue;
      const text = asLatin1(expressions.next().value ?? "");
      const before = parts.at(-1);
      if (before?.expression !== undefined && /(?<!\\)(?:\\\\)*\\$/.test(before.text)) {
        parts[parts.length - 1] = { ...before, text: `${before.text}\n${text}` };
        continue;
      }
      count += 1;
      parts.push({ text, expression: count, file: "" });
    }
    return parts;
  }

  async #scriptFile(name: string): Promise<ScriptPart> {
    try {
      let text = "";
      await this.#run.withInput(name, async (fd) => {
        const bytes = await readAllBytes(this.#run.sys, fd);
        text = Buffer.from(bytes).toString("latin1");
      });
      return { text: text.replace(/\n$/, ""), expression: undefined, file: name };
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new SedError(`couldn't open file ${name}: ${errorWords(error)}`, FAILED);
    }
  }

  #input(files: readonly string[]): SedInput {
    const run = this.#run;
    const isInPlace = run.has("in-place");
    return new SedInput(run.sys, files.length === 0 ? ["-"] : files, {
      delimiter: this.#delimiter,
      isInPlace,
      isUnbuffered: run.has("unbuffered"),
      isSeparate: isInPlace || run.has("separate"),
      onFailure: async (error, name) => {
        if (!isKernelError(error)) throw error;
        await run.out.flush();
        if (name === "-" && !isInPlace)
          throw new SedError(`read error on stdin: ${errorWords(error)}`, FAILED);
        await run.fail(`can't read ${name}: ${errorWords(error)}`, UNREADABLE);
      },
      onStart: (name, fd) => this.#start(name, fd, isInPlace),
      onEnd: async () => {
        await this.#edited?.finish(run.options.get("in-place") ?? "");
        this.#edited = undefined;
      },
    });
  }

  async #start(name: string, fd: number, isInPlace: boolean): Promise<boolean> {
    const run = this.#run;
    const stat = await run.sys.fstat(fd);
    if (isInPlace && stat.kind !== "file") {
      await run.fail(`couldn't edit ${name}: not a regular file`, FAILED);
      return false;
    }
    if (stat.kind === "directory") {
      await this.#standard.flush();
      throw new SedError(`read error on ${name}: Is a directory`, FAILED);
    }
    if (isInPlace) {
      const path = run.has("follow-symlinks") ? await resolvePath(run.sys, name, "all") : name;
      this.#edited = await InPlaceFile.start(run.sys, path, { stat, delimiter: this.#delimiter });
    }
    return true;
  }
}

function asLatin1(text: string): string {
  return Buffer.from(encodeText(text)).toString("latin1");
}

function* writtenFiles(commands: readonly Command[]): Iterable<string> {
  for (const { action } of commands) {
    if (action.name === "w" || action.name === "W") yield action.file;
    else if (action.name === "s" && action.substitution.file !== undefined)
      yield action.substitution.file;
  }
}

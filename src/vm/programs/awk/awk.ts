import { isKernelError } from "../../../kernel/index.ts";
import { MemoryLimitError } from "../memory-limit.ts";
import { UsageError } from "../options.ts";
import { defineProgram, errorWords, type Run } from "../program.ts";
import { readAllBytes } from "../read-all.ts";
import { RegExpTooComplexError } from "../regexp/errors.ts";
import { AwkFatalError, AwkSyntaxError } from "./awk-error.ts";
import { bytesAsCharacters, type Charset, charsetOf } from "./charset.ts";
import { builtinNames, type Source } from "./lexer.ts";
import { parseProgram } from "./parse-program.ts";
import { runProgram } from "./run-program.ts";
import { Runtime } from "./runtime.ts";

export const main = defineProgram(
  {
    name: "awk",
    usage: ["[OPTION]... PROGRAM [FILE | NAME=VALUE]...", "[OPTION]... -f PROGFILE [FILE]..."],
    summary: "Run an awk program over the records of each FILE, or of standard input.",
    stopsAtOperand: true,
    options: [
      { short: "F", long: "field-separator", value: "FS", help: "separate fields by FS" },
      { short: "v", long: "assign", value: "NAME=VALUE", help: "set a variable before the start" },
      { short: "f", long: "file", value: "PROGFILE", help: "read the program from PROGFILE" },
      { short: "e", long: "source", value: "TEXT", help: "TEXT is part of the program" },
      { short: "E", long: "exec", value: "PROGFILE", help: "like -f" },
      { short: "b", long: "characters-as-bytes", help: "take each byte for a character" },
      { short: "P", long: "posix", help: "(ignored)" },
      { short: "c", long: "traditional", help: "(ignored)" },
      { short: "n", long: "non-decimal-data", help: "(ignored)" },
      { short: "N", long: "use-lc-numeric", help: "(ignored)" },
      { short: "M", long: "bignum", help: "(ignored)" },
      { short: "O", long: "optimize", help: "(ignored)" },
      { short: "s", long: "no-optimize", help: "(ignored)" },
      { short: "r", long: "re-interval", help: "(ignored)" },
      { short: "S", long: "sandbox", help: "(ignored)" },
      { short: "t", long: "lint-old", help: "(ignored)" },
      { short: "L", long: "lint", value: "KIND", isOptional: true, help: "(ignored)" },
    ],
  },
  async (run) => {
    const environment = await run.sys.environ();
    const charset = run.has("characters-as-bytes") ? bytesAsCharacters : charsetOf(environment);
    const rt = new Runtime({
      sys: run.sys,
      charset,
      environment,
      warn: (message) => run.warn(message),
    });
    try {
      return await start(run, rt);
    } catch (error) {
      return report(run, rt, error);
    }
  },
);

async function start(run: Run, rt: Runtime): Promise<number> {
  const warnings: string[] = [];
  const { sources, operands } = await readSources(run, rt.charset, (text) => warnings.push(text));
  const [first] = sources;
  const name = first?.name ?? "cmd. line";
  const tree = parseProgram(sources);
  for (const warning of warnings) await run.warn(warning);
  const assignments = readAssignments(run);
  rt.place = () => {
    if (rt.line === 0) return "";
    const where = rt.fnr > 0 ? `(FILENAME=${rt.input.name} FNR=${rt.fnr}) ` : "";
    return `${name}:${rt.line}: ${where}`;
  };
  return runProgram(rt, { tree, argv: [run.name, ...operands], assignments });
}

/** Says what went wrong, after what was printed before. */
async function report(run: Run, rt: Runtime, error: unknown): Promise<number> {
  if (error instanceof AwkSyntaxError) {
    for (const line of error.lines) await run.warn(line);
    return error.lines.some((line) => line.includes(": fatal: ")) ? 2 : 1;
  }
  const message = fatalMessage(error);
  await rt.files.stdout.flush();
  const isPlaced = !(error instanceof AwkFatalError) || error.hasPlace;
  if (message !== undefined) await run.warn(`${isPlaced ? rt.place() : ""}fatal: ${message}`);
  await rt.files.closeAll();
  if (message === undefined) throw error;
  return 2;
}

/** Undefined for what is no end of a program. */
function fatalMessage(error: unknown): string | undefined {
  const isKnown =
    error instanceof AwkFatalError ||
    error instanceof MemoryLimitError ||
    error instanceof RegExpTooComplexError;
  return isKnown ? error.message : undefined;
}

async function readSources(
  run: Run,
  charset: Charset,
  warn: (message: string) => void,
): Promise<{ readonly sources: readonly Source[]; readonly operands: readonly string[] }> {
  const { options } = run;
  const sources: Source[] = [];
  const next = new Map<string, number>();
  for (const option of options.order) {
    const at = next.get(option) ?? 0;
    next.set(option, at + 1);
    const value = options.all(option)[at] ?? "";
    if (option === "file" || option === "exec")
      sources.push({
        name: value,
        text: charset.decode(await readProgram(run, value)),
        isFile: true,
        charset,
        warn,
      });
    if (option === "source")
      sources.push({ name: "cmd. line", text: commandText(charset, value), charset, warn });
  }
  if (sources.length > 0) return { sources, operands: run.operands };
  const [program, ...operands] = run.operands;
  if (program === undefined) throw new UsageError("no program text");
  return {
    sources: [{ name: "cmd. line", text: commandText(charset, program), charset, warn }],
    operands,
  };
}

/** Newlines at its end count for nothing. */
function commandText(charset: Charset, text: string): string {
  return charset.fromKernel(text).replace(/\n+$/, "");
}

async function readProgram(run: Run, path: string): Promise<Uint8Array> {
  try {
    let bytes: Uint8Array = new Uint8Array();
    await run.withInput(path, async (fd) => {
      bytes = await readAllBytes(run.sys, fd);
    });
    return bytes;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new AwkFatalError(
      `cannot open source file \`${path}' for reading: ${errorWords(error)}`,
      false,
    );
  }
}

function readAssignments(run: Run): readonly { readonly name: string; readonly text: string }[] {
  const { options } = run;
  const made: { readonly name: string; readonly text: string }[] = [];
  const separator = options.get("field-separator");
  if (separator !== undefined) made.push({ name: "FS", text: separator });
  for (const word of options.all("assign")) {
    const at = word.indexOf("=");
    if (at === -1) throw new UsageError(`\`${word}' argument to \`-v' not in \`var=value' form\n`);
    const name = word.slice(0, at);
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw new AwkFatalError(`\`${name}' is not a legal variable name`, false);
    if (builtinNames.has(name))
      throw new AwkFatalError(`cannot use gawk builtin \`${name}' as variable name`, false);
    made.push({ name, text: word.slice(at + 1) });
  }
  return made;
}

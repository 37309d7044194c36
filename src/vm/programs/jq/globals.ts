/** The `$name`s a command line sets. */
import { decodeText, isKernelError, O_CLOEXEC, O_RDONLY, type Sys } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { errorWords } from "../program.ts";
import { readAllBytes } from "../read-all.ts";
import type { CommandLine, NamedArgument } from "./command-line.ts";
import { JsonSyntaxError } from "./json-parser.ts";
import { parseAll } from "./modules.ts";
import type { Value } from "./value.ts";

/** Fails with a UsageError. */
export async function makeGlobals(sys: Sys, line: CommandLine): Promise<Map<string, Value>> {
  const named = new Map<string, Value>();
  for (const argument of line.named) {
    if (!named.has(argument.name)) named.set(argument.name, await valueOf(sys, argument));
  }
  const positional = line.positional.map(({ text, isJson }) => {
    if (!isJson) return text;
    return parseOne(text, "invalid JSON text passed to --jsonargs");
  });
  const environment: ReadonlyMap<string, Value> = await sys.environ();
  return new Map([
    ...named,
    ["ENV", environment],
    [
      "ARGS",
      new Map<string, Value>([
        ["positional", positional],
        ["named", named],
      ]),
    ],
  ]);
}

async function valueOf(sys: Sys, { kind, name, value }: NamedArgument): Promise<Value> {
  if (kind === "arg") return value;
  if (kind === "argjson") return parseOne(value, "invalid JSON text passed to --argjson");
  const what = kind === "slurpfile" ? "Bad JSON in --slurpfile" : "Bad JSON in --rawfile";
  try {
    const fd = await sys.open(value, O_RDONLY | O_CLOEXEC);
    try {
      const text = decodeText(await readAllBytes(sys, fd));
      return kind === "rawfile" ? text.toWellFormed() : parseAll(text.toWellFormed());
    } finally {
      await sys.close(fd);
    }
  } catch (error) {
    const words = isKernelError(error)
      ? `Could not open ${value}: ${errorWords(error)}`
      : error instanceof JsonSyntaxError
        ? error.message
        : undefined;
    if (words === undefined) throw error;
    throw new UsageError(`${what} ${name} ${value}: ${words}`, { status: 2, hasHint: false });
  }
}

function parseOne(text: string, message: string): Value {
  const hint =
    "Use jq --help for help with command-line options,\nor see the jq manpage, or online docs  at https://stedolan.github.io/jq";
  const refusal = new UsageError(`${message}\n${hint}`, { status: 2, hasHint: false });
  try {
    const [value, ...more] = parseAll(text);
    if (value === undefined || more.length > 0) throw refusal;
    return value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw refusal;
    throw error;
  }
}

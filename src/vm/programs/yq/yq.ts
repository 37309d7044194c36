/** `yq`: filters YAML, after mikefarah's yq 4. */
import {
  decodeText,
  encodeText,
  isKernelError,
  O_CLOEXEC,
  O_TRUNC,
  O_WRONLY,
} from "../../../kernel/index.ts";
import { Compiler } from "../jq/compiler.ts";
import { JsonSyntaxError } from "../jq/json-parser.ts";
import { type Code, Frame, HaltError, Machine } from "../jq/machine.ts";
import { JqSyntaxError } from "../jq/syntax.ts";
import { isTrue, JqError, type Value } from "../jq/value.ts";
import { UsageError } from "../options.ts";
import { writeAll } from "../output.ts";
import { defineProgram, errorWords, type Run } from "../program.ts";
import { readAllBytes } from "../read-all.ts";
import { parseDocuments, type YamlDocument } from "./documents.ts";
import { parseExpression } from "./expression.ts";
import { renderJson, renderProperties, renderTable } from "./other-formats.ts";
import { renderYaml } from "./render.ts";

export const main = defineProgram(
  {
    name: "yq",
    usage: ["[eval|eval-all] [OPTION]... [EXPRESSION] [FILE]..."],
    summary: "Print what EXPRESSION selects from or makes of each YAML document.",
    options: [
      { short: "e", long: "exit-status", help: "fail where the result is null or false" },
      { short: "i", long: "inplace", help: "put the result in the first file" },
      { short: "I", long: "indent", value: "N", help: "indent by N, 2 unless said" },
      { short: "n", long: "null-input", help: "start from nothing" },
      { short: "N", long: "no-doc", help: "no --- between documents" },
      { short: "o", long: "output-format", value: "FORMAT", help: "yaml, json, props, csv or tsv" },
      { short: "p", long: "input-format", value: "FORMAT", help: "yaml, json or props" },
      { short: "P", long: "prettyPrint", help: "in block style, without quotes" },
      {
        short: "r",
        long: "unwrapScalar",
        value: "BOOL",
        isOptional: true,
        help: "strings as they are",
      },
      { short: "j", long: "tojson", help: "same as -o json" },
      { short: "M", long: "no-colors", help: "(ignored)" },
      { short: "C", long: "colors", help: "(ignored)" },
      { short: "V", help: "output version information and exit" },
    ],
  },
  runYq,
);

interface Job {
  readonly run: Run;
  readonly expression: string;
  readonly files: readonly string[];
  readonly isAll: boolean;
  readonly environment: ReadonlyMap<string, string>;
  readonly output: string;
}

async function runYq(run: Run): Promise<number> {
  if (run.has("V")) {
    run.out.addText("yq (https://github.com/mikefarah/yq/) version v4.44.3\n");
    return 0;
  }
  const [command, ...others] = run.operands;
  const isCommand = /^(?:e|eval|ea|eval-all)$/.test(command ?? "");
  const operands = isCommand ? others : run.operands;
  const [first] = operands;
  const isFile = first !== undefined && operands.length === 1 && (await isExisting(run, first));
  const expression = isFile ? "." : (first ?? ".");
  const files = isFile ? operands : operands.slice(1);
  const environment = await run.sys.environ();
  const output = run.has("tojson") ? "json" : outputFormat(run, files);
  const isAll = command === "ea" || command === "eval-all";
  try {
    return await process({ run, expression, files, isAll, environment, output });
  } catch (error) {
    const isKnown =
      error instanceof JqError ||
      error instanceof JqSyntaxError ||
      error instanceof JsonSyntaxError;
    if (!isKnown) throw error;
    await run.out.flush();
    await writeAll(run.sys, 2, encodeText(`Error: ${error.message}\n`));
    return 1;
  }
}

async function isExisting(run: Run, path: string): Promise<boolean> {
  try {
    return (await run.sys.stat(path)).kind === "file";
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}

function outputFormat(run: Run, files: readonly string[]): string {
  const [first = ""] = files;
  const isJson = first.endsWith(".json") && !run.has("input-format");
  const found = optionOf(run, "output-format") ?? (isJson ? "json" : "yaml");
  const format = longNames.get(found) ?? found;
  if (!["yaml", "json", "props", "csv", "tsv"].includes(format))
    throw new UsageError(`unknown format '${found}' please use [yaml|json|props|csv|tsv]`);
  return format;
}

/** `-o=json` is `-o json`. */
function optionOf(run: Run, name: string): string | undefined {
  return run.options.get(name)?.replace(/^=/, "");
}

const longNames = new Map(
  Object.entries({
    y: "yaml",
    yml: "yaml",
    j: "json",
    p: "props",
    properties: "props",
    c: "csv",
    t: "tsv",
    a: "yaml",
    auto: "yaml",
  }),
);

async function process(job: Job): Promise<number> {
  const { run } = job;
  const documents = await readDocuments(job);
  const isOnce = job.isAll || run.has("null-input");
  const hasMarks = job.output === "yaml" && !run.has("no-doc");
  const texts: string[] = [];
  let last: Value | undefined;
  for (const document of isOnce ? [documents[0]] : documents) {
    const code = compile(job, documents, document);
    const from = run.has("null-input") ? undefined : document;
    let isFirst = true;
    for await (const value of results(run, code, from?.value ?? null)) {
      const needsMark = hasMarks && texts.length > 0 && (isFirst || job.isAll);
      texts.push(`${needsMark ? "---\n" : ""}${render(job, value, from)}`);
      last = value;
      isFirst = false;
    }
  }
  await deliver(job, texts.join(""));
  if (!run.has("exit-status") || (last !== undefined && isTrue(last))) return 0;
  await run.out.flush();
  await writeAll(run.sys, 2, encodeText("Error: no matches found\n"));
  return 1;
}

async function deliver({ run, files }: Job, text: string): Promise<void> {
  const [first] = files;
  if (!run.has("inplace")) {
    await run.out.write(encodeText(text));
    return;
  }
  if (first === undefined)
    throw new UsageError(
      "write in place flag only applicable when giving an expression and at least one file",
      { hasHint: false },
    );
  const fd = await run.sys.open(first, O_WRONLY | O_TRUNC | O_CLOEXEC);
  try {
    await writeAll(run.sys, fd, encodeText(text));
  } finally {
    await run.sys.close(fd);
  }
}

async function readDocuments({ run, files }: Job): Promise<YamlDocument[]> {
  if (run.has("null-input") && files.length === 0) return [];
  const documents: YamlDocument[] = [];
  for (const [fileIndex, fileName] of (files.length === 0 ? ["-"] : files).entries()) {
    const given = optionOf(run, "input-format") ?? (fileName.endsWith(".json") ? "json" : "yaml");
    const format = longNames.get(given) ?? given;
    try {
      await run.withInput(fileName, async (fd) => {
        const text = decodeText(await readAllBytes(run.sys, fd)).toWellFormed();
        documents.push(...parseDocuments(text, format, { fileIndex, fileName }));
      });
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new JqError(`open ${fileName}: ${errorWords(error).toLowerCase()}`);
    }
  }
  return documents;
}

function compile(
  job: Job,
  documents: readonly YamlDocument[],
  one: YamlDocument | undefined,
): Code {
  const globals = new Map<string, Value>([
    [
      "__docs",
      documents.map((each) => [each.value, each.fileIndex, each.documentIndex, each.fileName]),
    ],
    ["__fi", one?.fileIndex ?? 0],
    ["__di", one?.documentIndex ?? 0],
    ["__fn", one?.fileName ?? ""],
    ["ENV", job.environment],
  ]);
  const compiler = new Compiler(globals);
  const expression = parseExpression(job.expression, {
    environment: job.environment,
    isAll: job.isAll,
  });
  return compiler.compile(expression, compiler.rootScope).code;
}

async function* results(run: Run, code: Code, input: Value): AsyncGenerator<Value> {
  const { nowMs } = await run.sys.clock();
  const machine = new Machine({
    say: (text) => run.out.addText(text),
    nowSeconds: () => nowMs / 1000,
    inputName: () => null,
    inputLine: () => 0,
    timeZone: undefined,
  });
  machine.start(code, new Frame(undefined), input);
  for (;;) {
    const stop = nextStop(machine);
    if (stop === "result") yield machine.value;
    else if (stop === "pause") await run.sys.schedYield();
    else if (stop === "input") machine.give(null);
    else return;
  }
}

function nextStop(machine: Machine): ReturnType<Machine["next"]> {
  try {
    return machine.next();
  } catch (error) {
    if (error instanceof HaltError) return "end";
    throw error;
  }
}

function render({ run, output }: Job, value: Value, from: YamlDocument | undefined): string {
  const indent = Number(optionOf(run, "indent") ?? 2);
  const unwrap = optionOf(run, "unwrapScalar");
  switch (output) {
    case "json":
      return renderJson(value, indent, unwrap !== undefined && unwrap !== "false");
    case "props":
      return renderProperties(value);
    case "csv":
      return renderTable(value, ",");
    case "tsv":
      return renderTable(value, "\t");
    default: {
      const isUnwrapped = unwrap !== "false";
      return renderYaml(value, from, { indent, isPretty: run.has("prettyPrint"), isUnwrapped });
    }
  }
}

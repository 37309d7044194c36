import {
  encodeText,
  findSignalName,
  findSignalNumber,
  isKernelError,
  type Program,
  type Sys,
} from "../../kernel/index.ts";
import { becomeCommand } from "./become-command.ts";
import { UsageError } from "./options.ts";
import { writeAll } from "./output.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
import { quoteText } from "./quote-text.ts";
import { splitWords } from "./split-words.ts";

/** env's own failures, see env(1). */
const FAILED = 125;

const program = defineProgram(
  {
    name: "env",
    usage: ["[OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]"],
    summary: "Set each NAME to VALUE in the environment and run COMMAND.",
    options: [
      { short: "i", long: "ignore-environment", help: "start with an empty environment" },
      { short: "0", long: "null", help: "end each output line with NUL, not newline" },
      { short: "u", long: "unset", value: "NAME", help: "remove variable from the environment" },
      { short: "C", long: "chdir", value: "DIR", help: "change working directory to DIR" },
      {
        short: "S",
        long: "split-string",
        value: "S",
        help: "process and split S into separate arguments",
      },
      { long: "block-signal", value: "SIG", isOptional: true, help: "(ignored)" },
      {
        long: "default-signal",
        value: "SIG",
        isOptional: true,
        help: "reset handling of SIG signal(s) to the default",
      },
      {
        long: "ignore-signal",
        value: "SIG",
        isOptional: true,
        help: "set handling of SIG signal(s) to do nothing",
      },
      { long: "list-signal-handling", help: "list what is not the default, on standard error" },
      { short: "v", long: "debug", help: "print verbose information for each processing step" },
    ],
    refusal: FAILED,
    stopsAtOperand: true,
  },
  async (run) => {
    const words = run.operands;
    const isEmpty = run.has("ignore-environment") || words[0] === "-";
    const environment = isEmpty ? new Map<string, string>() : await run.sys.environ();
    if (isEmpty) await report(run, "cleaning environ");
    for (const name of run.options.all("unset")) {
      if (name === "" || name.includes("="))
        throw new UsageError(`cannot unset ${quoteName(name)}: Invalid argument`, {
          hasHint: false,
        });
      await report(run, `unset:    ${name}`);
      environment.delete(name);
    }
    let at = words[0] === "-" ? 1 : 0;
    for (; words[at]?.includes("=") === true; at++) {
      const word = words[at] ?? "";
      const equals = word.indexOf("=");
      await report(run, `setenv:   ${word}`);
      environment.set(word.slice(0, equals), word.slice(equals + 1));
    }
    const command = words.slice(at);
    const directory = run.options.get("chdir");
    if (directory !== undefined && command.length === 0)
      throw new UsageError("must specify command with --chdir (-C)");
    if (run.has("null") && command.length > 0)
      throw new UsageError("cannot specify --null (-0) with command");
    if (command.length > 0) await handleSignals(run);
    if (directory !== undefined) {
      await report(run, `chdir:    ${quoteText(directory)}`);
      try {
        await run.sys.chdir(directory);
      } catch (error) {
        if (!isKernelError(error)) throw error;
        await run.fail(
          `cannot change directory to ${quoteName(directory)}: ${errorWords(error)}`,
          FAILED,
        );
        return FAILED;
      }
    }
    if (command.length > 0) await report(run, `executing: ${command[0]}`);
    for (const [place, word] of command.entries())
      await report(run, `   arg[${place}]= ${quoteText(word)}`);
    if (command.length > 0)
      return becomeCommand(run, command, { env: environment, describe: quoteName });
    const end = run.has("null") ? "\0" : "\n";
    for (const [name, value] of environment) run.out.addText(`${name}=${value}${end}`);
    return 0;
  },
);

export const main: Program = async (sys, argv) => {
  const [name = "env", ...words] = argv;
  try {
    return await program(sys, [name, ...(await expand(sys, words))]);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await writeAll(sys, 2, encodeText(`${name}: ${error.message}\n`));
    return FAILED;
  }
};

/** What the command is to do with signals, by the options in their order. */
async function handleSignals(run: Run): Promise<void> {
  const handled = new Map<number, "default" | "ignore">();
  for (const [name, value] of run.options.sequence) {
    if (name !== "default-signal" && name !== "ignore-signal") continue;
    for (const word of value === "" ? [] : value.split(",")) {
      const signal = findSignalNumber(word);
      if (signal === undefined) throw new UsageError(`${quoteName(word)}: invalid signal`);
      handled.set(signal, name === "default-signal" ? "default" : "ignore");
    }
  }
  for (const [signal, disposition] of handled) {
    await run.sys.sigaction(signal, disposition);
    if (!run.has("list-signal-handling") || disposition === "default") continue;
    const name = (findSignalName(signal) ?? "").replace(/^SIG/, "");
    await writeAll(
      run.sys,
      2,
      encodeText(`${name.padEnd(10)} (${String(signal).padStart(2)}): IGNORE\n`),
    );
  }
}

/** Options of the words of `-S` count as those around it. */
async function expand(sys: Sys, words: readonly string[]): Promise<readonly string[]> {
  for (const [at, word] of words.entries()) {
    const match = /^(-[i0v]*)S([^]*)$|^--s[a-z-]*(?:=([^]*))?$/.exec(word);
    const after = /^-[i0v]*[uC]$|^--(?:unset|chdir)$/.test(words[at - 1] ?? "");
    if (match !== null && !after) {
      const given = match[2] === "" ? undefined : (match[2] ?? match[3]);
      const text = given ?? words[at + 1];
      if (text === undefined) return words;
      const flags = (match[1] ?? "-") === "-" ? [] : [match[1] ?? ""];
      const rest = words.slice(at + (given === undefined ? 2 : 1));
      const made = splitWords(text, await sys.environ());
      if (flags.some((flag) => flag.includes("v")) || words.slice(0, at).includes("-v"))
        await reportSplit(sys, text, made);
      return [...words.slice(0, at), ...flags, ...made, ...rest];
    }
    if (!word.startsWith("-") && !after) return words;
  }
  return words;
}

async function reportSplit(sys: Sys, text: string, words: readonly string[]): Promise<void> {
  const lines = words.map(
    (word, at) => `${at === 0 ? " into:" : "     &"}    ${quoteText(word)}\n`,
  );
  await writeAll(sys, 2, encodeText(`split -S:  ${quoteText(text)}\n${lines.join("")}`));
}

/** `-v` says what is done, on fd 2. */
async function report(run: Run, text: string): Promise<void> {
  if (run.has("debug")) await writeAll(run.sys, 2, encodeText(`${text}\n`));
}

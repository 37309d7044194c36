import type { Answer } from "../recorded-case.ts";
import { batchScript, parseBatch } from "./batch.ts";
import { type Behaviour, bytesOf, type Input } from "./behaviour.ts";
import type { Answers, EntryPointName, StdinKind } from "./manifest.ts";
import { runOnTerminal, type TypedTerminal, terminalScript } from "./terminal.ts";

/** One way to start commands in one VM. Its maker closes it. */
export interface EntryPoint {
  readonly name: EntryPointName;
  /** How many commands may run at once. */
  readonly parallel: number;
  /** Runs a bash command; its stdin ends after the input, unless it stays open. */
  run(command: string, stdin: CommandStdin): Promise<Answer>;
  /** Runs a bash command on a terminal; where the entry point has one. */
  openTerminal?(command: string): Promise<OpenTerminal>;
  close(): Promise<void>;
}

export interface CommandStdin {
  readonly input: Input;
  readonly staysOpen: boolean;
}

export interface OpenTerminal extends TypedTerminal {
  /** Resolves when its command has ended. */
  readonly ended: Promise<unknown>;
}

const NOTHING: CommandStdin = { input: { text: "" }, staysOpen: false };

/** What the behaviours answer with that kind of stdin, by name. */
export async function answersOf(
  entryPoint: EntryPoint,
  kind: StdinKind,
  behaviours: readonly Behaviour[],
): Promise<Answers> {
  switch (kind) {
    case "command":
      return answerCommands(entryPoint, behaviours);
    case "terminal":
      return answerOnTerminal(entryPoint, behaviours);
    default: {
      const { stdout, stderr, status } = await entryPoint.run(
        batchScript(kind, behaviours),
        NOTHING,
      );
      if (status !== 0 || stderr !== "") throw new Error(`the batch failed: ${status} ${stderr}`);
      return parseBatch(behaviours, stdout);
    }
  }
}

/** Each behaviour is a command of its own, in a directory of its own. */
async function answerCommands(
  entryPoint: EntryPoint,
  behaviours: readonly Behaviour[],
): Promise<Answers> {
  const answers: Record<string, Answer> = {};
  const left = behaviours.entries();
  const work = async (): Promise<void> => {
    for (const [at, { name, script, input, staysOpen }] of left) {
      const directory = `mkdir /tmp/command-${at}; cd /tmp/command-${at}; printf 'o1\\no2\\n' > other`;
      const command = `${directory}; export LC_ALL=C TZ=UTC; exec bash -c ${quote(script)}`;
      answers[name] = await entryPoint.run(command, { input, staysOpen });
    }
  };
  await Promise.all(Array.from({ length: entryPoint.parallel }, work));
  return Object.fromEntries(
    behaviours.map(({ name }) => [name, answers[name]] as [string, Answer]),
  );
}

async function answerOnTerminal(
  entryPoint: EntryPoint,
  behaviours: readonly Behaviour[],
): Promise<Answers> {
  const terminal = await entryPoint.openTerminal?.(terminalScript(behaviours));
  if (terminal === undefined) throw new Error(`${entryPoint.name} has no terminal`);
  const answers = await runOnTerminal(behaviours, terminal);
  await terminal.ended;
  return answers;
}

/** Input as text, for entry points that take nothing else. */
export function textOf(input: Input): string {
  return bytesOf(input).toString("utf8");
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

// Every reader of stdin, every kind of stdin, every entry point: what each combination must answer is what
// the original answered with that very kind of stdin. What cannot be combined is skipped here, with its reason.
import { readFileSync } from "node:fs";
import type { Answer } from "../recorded-case.ts";
import type { Behaviour, RecordedKind } from "./behaviour.ts";
import { node } from "./behaviours/node.ts";
import { programs } from "./behaviours/programs.ts";
import { scripts } from "./behaviours/scripts.ts";
import { shellBuiltins } from "./behaviours/shell-builtins.ts";

export const behaviours: readonly Behaviour[] = [
  ...shellBuiltins,
  ...scripts,
  ...programs,
  ...node,
];

/** `command`: the stdin that the entry point itself gives to its command. It is a pipe. */
export type StdinKind = RecordedKind | "command";

export const stdinKinds = ["command", "file", "pipe", "fifo", "socketpair", "terminal"] as const;

/** How users start a command in a VM. */
export const entryPoints = ["library", "vm_exec", "vm_exec_io", "agentos-mcp exec"] as const;

export type EntryPointName = (typeof entryPoints)[number];

/** Why an entry point has no such stdin. */
export function findObstacle(entryPoint: EntryPointName, kind: StdinKind): string | undefined {
  if (entryPoint !== "vm_exec" || kind !== "terminal") return undefined;
  return "the terminal of vm_exec is typed at by vm_exec_io";
}

/** The behaviours of one cell of the matrix. */
export function selectBehaviours(
  entryPoint: EntryPointName,
  kind: StdinKind,
): readonly Behaviour[] {
  const isMcp = entryPoint === "vm_exec" || entryPoint === "vm_exec_io";
  const isByMcp = isMcp && (kind === "command" || kind === "terminal");
  const recorded = recordedKindOf(kind);
  return behaviours.filter(
    ({ skips }) => skips[recorded] === undefined && !(isByMcp && skips.mcp !== undefined),
  );
}

export function recordedKindOf(kind: StdinKind): RecordedKind {
  return kind === "command" ? "pipe" : kind;
}

/** What the original answered, by name. On a terminal stdout is all that was shown. */
export type Answers = Readonly<Record<string, Answer>>;

export function recordedFile(kind: RecordedKind): URL {
  return new URL(`recorded/${kind}.json`, import.meta.url);
}

export function readRecorded(kind: StdinKind): Answers {
  return JSON.parse(readFileSync(recordedFile(recordedKindOf(kind)), "utf8")) as Answers;
}

/** Pipelines: a process for each stage, pipes between them, one group where there is job control. */
import { O_CLOEXEC } from "../../../kernel/index.ts";
import { findBuiltin } from "../builtins/registry.ts";
import { expandWords } from "../expansion/word.ts";
import type { FdAction, Shell } from "../state/shell.ts";
import type { Command, Pipeline, Redirect, SimpleCommand, Word, WordPart } from "../syntax/ast.ts";
import { makeLiteral } from "../syntax/make-word.ts";
import { printCommand } from "../syntax/print-command.ts";
import { runDebugTrap } from "./debug-trap.ts";
import { isDeclaration } from "./declare-variables.ts";
import { waitForJob } from "./foreground.ts";
import { startProgram } from "./program-command.ts";
import { RedirectPlan } from "./redirect.ts";
import { lastCommand } from "./subshell.ts";
import { timed } from "./time.ts";
import { withoutFork } from "./without-fork.ts";

export async function runPipeline(shell: Shell, pipeline: Pipeline): Promise<number> {
  if (pipeline.timed !== "no")
    return timed(shell, pipeline.timed, () => runStages(shell, pipeline));
  return runStages(shell, pipeline);
}

async function runStages(shell: Shell, pipeline: Pipeline): Promise<number> {
  const [first, ...others] = pipeline.commands;
  if (first === undefined) return 0;
  if (others.length === 0) {
    const status = await shell.interpreter.runCommand(shell, first);
    shell.pipeStatus = [status];
    return status;
  }
  const isLastHere = shell.options.has("lastpipe") && !shell.options.has("monitor");
  const pids = await startStages(shell, pipeline, isLastHere);
  const show = () => printCommand(pipeline);
  if (!isLastHere) return pipelineStatus(shell, await waitForJob(shell, pids.started, show));
  const last = await pids.runLast();
  await waitForJob(shell, pids.started, show);
  shell.pipeStatus = [...shell.pipeStatus, last];
  return pipelineStatus(shell, last);
}

function pipelineStatus(shell: Shell, last: number): number {
  if (!shell.options.has("pipefail")) return last;
  return shell.pipeStatus.findLast((status) => status !== 0) ?? 0;
}

interface Stages {
  readonly started: readonly number[];
  /** Runs the last stage in the shell itself, under `lastpipe`. */
  runLast(): Promise<number>;
}

/** Starts every stage (but the last, where it runs here) without waiting for any. */
export async function startStages(
  shell: Shell,
  pipeline: Pipeline,
  isLastHere = false,
): Promise<Stages> {
  const started: number[] = [];
  const { commands, pipesStderr } = pipeline;
  let input: number | undefined;
  const hasJobs = shell.options.has("monitor");
  for (const [at, command] of commands.entries()) {
    const isLast = at === commands.length - 1;
    if (isLast && isLastHere) break;
    const pipe = isLast ? undefined : await shell.sys.pipe(O_CLOEXEC);
    const ends: StageEnds = {
      input,
      output: pipe?.[1],
      unused: pipe?.[0],
      pipesStderr: pipesStderr[at] === true,
    };
    const group = hasJobs ? { pgid: started[0] ?? 0, isForeground: at === 0 } : {};
    try {
      started.push(await startStage(shell, command, { ...ends, ...group }));
    } finally {
      if (input !== undefined) await shell.sys.close(input);
      if (pipe !== undefined) await shell.sys.close(pipe[1]);
    }
    input = pipe?.[0];
  }
  return { started, runLast: () => runHere(shell, commands.at(-1), input) };
}

interface StageEnds {
  readonly input: number | undefined;
  readonly output: number | undefined;
  /** The next stage's end, which this one must not hold. */
  readonly unused: number | undefined;
  readonly pipesStderr: boolean;
  readonly pgid?: number;
  readonly isForeground?: boolean;
}

async function startStage(shell: Shell, written: Command, stage: StageEnds): Promise<number> {
  const command = stage.pipesStderr ? withErrors(withoutFork(written)) : withoutFork(written);
  const fds = stageActions(stage);
  if (command.kind === "simple") {
    shell.line = command.line;
    await runDebugTrap(shell, command);
  }
  const group = {
    ...(stage.pgid === undefined ? {} : { pgid: stage.pgid }),
    ...(stage.isForeground === undefined ? {} : { isForeground: stage.isForeground }),
  };
  if (command.kind === "simple" && isPlain(command)) {
    const pid = await startDirectly(shell, command, { fds, group });
    if (pid !== undefined) return pid;
  }
  const { input, output, unused } = stage;
  const closed = [input, output, unused].filter((fd) => fd !== undefined && fd > 2);
  return shell.interpreter.startSubshell(shell, {
    run: async (child) => {
      child.finalCommand = command.kind === "group" ? lastCommand(command.body) : command;
      if (command.kind === "simple") child.traps.delete("DEBUG");
      return child.interpreter.runCommand(child, command);
    },
    fds: [...fds, ...closed.map((fd) => ({ fd: fd ?? 0, close: true }) as const)],
    isSimpleCommand: command.kind === "simple",
    ...group,
  });
}

/** `|&`: fd 2 goes where fd 1 goes, behind all other redirections. */
function withErrors(command: Command): Command {
  const target = makeLiteral("1");
  const errors: Redirect = { kind: "file", operator: ">&", fd: 2, target };
  if (command.kind === "simple" || command.kind === "redirected")
    return { ...command, redirects: [...command.redirects, errors] };
  if (command.kind === "function" || command.kind === "coprocess") return command;
  return { kind: "redirected", command, redirects: [errors] };
}

function stageActions({ input, output }: StageEnds): FdAction[] {
  const actions: FdAction[] = [];
  if (input !== undefined) actions.push({ fd: 0, from: input });
  if (output !== undefined) actions.push({ fd: 1, from: output });
  return actions;
}

interface DirectStart {
  readonly fds: readonly FdAction[];
  readonly group: { readonly pgid?: number; readonly isForeground?: boolean };
}

/**
 * A program's stage whose words can be expanded without a trace is started from here, without a
 * subshell around it. Undefined where it is no such program, or it cannot be started.
 */
async function startDirectly(
  shell: Shell,
  command: SimpleCommand,
  start: DirectStart,
): Promise<number | undefined> {
  const [first] = command.words;
  const name = first?.kind === "word" ? first.literal : undefined;
  if (
    name === undefined ||
    shell.functions.has(name) ||
    findBuiltin(name) !== undefined ||
    isDeclaration(name)
  ) {
    return undefined;
  }
  if (shell.options.has("xtrace") || shell.options.has("nounset")) return undefined;
  shell.line = command.line;
  const words = await expandWords(
    shell,
    command.words.filter((word) => word.kind === "word"),
  );
  const plan = new RedirectPlan(shell);
  plan.adopt(start.fds);
  const started = await startProgram(shell, {
    words,
    plan,
    environment: undefined,
    command,
    ...start.group,
  });
  if (typeof started === "number") return started;
  const { status } = started;
  return shell.interpreter.startSubshell(shell, {
    run: async () => status,
    fds: start.fds,
    ...start.group,
  });
}

/** Only words whose expansion changes nothing and starts nothing. */
function isPlain({ assignments, redirects, words }: SimpleCommand): boolean {
  return (
    assignments.length === 0 &&
    redirects.length === 0 &&
    words.every((word) => word.kind === "word" && isPlainWord(word))
  );
}

function isPlainWord(word: Word): boolean {
  return word.literal !== undefined || (!word.hasBraces && word.parts.every(isPlainPart));
}

function isPlainPart(part: WordPart): boolean {
  if (part.kind === "quoted") return part.parts.every(isPlainPart);
  if (part.kind === "literal") return true;
  return (
    part.kind === "parameter" &&
    part.operation === undefined &&
    part.index === undefined &&
    part.prefix === undefined
  );
}

/** Runs the last stage in this process, reading from `input`. */
async function runHere(
  shell: Shell,
  command: Command | undefined,
  input: number | undefined,
): Promise<number> {
  if (command === undefined || input === undefined) return 0;
  const plan = new RedirectPlan(shell);
  plan.adopt([{ fd: 0, from: input }], true);
  await plan.apply();
  try {
    return await shell.interpreter.runCommand(shell, command);
  } finally {
    await plan.restore();
  }
}

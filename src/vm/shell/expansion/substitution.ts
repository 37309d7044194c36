/** `$(…)`, `<(…)` and `>(…)`: a subshell at the other end of a pipe. */
import { decodeText, isKernelError, O_CLOEXEC, O_RDONLY } from "../../../kernel/index.ts";
import { errorWords } from "../../programs/program.ts";
import type { FdAction, Shell } from "../state/shell.ts";
import { reportProblem, scriptOf } from "../state/syntax-report.ts";
import { waitForChild } from "../state/wait-for-child.ts";
import { growBytes } from "../state/word-limit.ts";
import type { ProcessPart, Script, Word } from "../syntax/ast.ts";

const CHUNK_BYTES = 65_536;

/** The output of a script without its last newlines. Its status is the shell's `substitutionStatus`. */
export async function captureOutput(
  shell: Shell,
  script: Script,
  expandText: (shell: Shell, word: Word) => Promise<string>,
): Promise<string> {
  const file = findFileRead(script);
  if (file !== undefined) return readFile(shell, await expandText(shell, file));
  const [readEnd, writeEnd] = await shell.sys.pipe(O_CLOEXEC);
  let pid: number;
  try {
    pid = await shell.interpreter.startSubshell(shell, {
      run: (child) => runSubstitution(child, script),
      body: script.statements,
      fds: pipeEnd({ fd: 1, from: writeEnd }, readEnd),
    });
  } finally {
    await shell.sys.close(writeEnd);
  }
  try {
    const text = await readAll(shell, readEnd);
    shell.substitutionStatus = await waitForChild(shell, pid);
    shell.status = shell.substitutionStatus;
    return text;
  } finally {
    await shell.sys.close(readEnd);
  }
}

/** Starts the process of `<(…)` or `>(…)`; answers the path of this end of its pipe. */
export async function startProcessSubstitution(shell: Shell, part: ProcessPart): Promise<string> {
  const [readEnd, writeEnd] = await shell.sys.pipe(O_CLOEXEC);
  const script = scriptOf(shell, part);
  const [ours, theirs] = part.direction === "<" ? [readEnd, writeEnd] : [writeEnd, readEnd];
  const kept = await shell.sys.dup(ours, 63);
  await shell.sys.close(ours);
  try {
    shell.lastBackgroundPid = await shell.interpreter.startSubshell(shell, {
      run: (child) => runSubstitution(child, script),
      body: script.statements,
      fds: pipeEnd({ fd: part.direction === "<" ? 1 : 0, from: theirs }, kept),
    });
  } finally {
    await shell.sys.close(theirs);
  }
  shell.substitutionFds.push(kept);
  return `/dev/fd/${kept}`;
}

/** The child has its end where it reads or writes, and neither number of the pipe. */
function pipeEnd(
  action: { readonly fd: number; readonly from: number },
  other: number,
): FdAction[] {
  const closed = [action.from, other].filter((fd) => fd !== action.fd);
  return [action, ...closed.map((fd) => ({ fd, close: true }) as const)];
}

async function runSubstitution(shell: Shell, script: Script): Promise<number> {
  if (!shell.options.has("inherit_errexit") && !shell.options.has("posix"))
    shell.options.set("errexit", false);
  shell.traceDepth += 1;
  const status = await shell.interpreter.runStatements(shell, script.statements);
  if (script.error === undefined) return status;
  await reportProblem(shell, script.error, "command substitution");
  return 2;
}

/** `$(<file)` reads the file itself. */
function findFileRead(script: Script): Word | undefined {
  const [statement, ...others] = script.statements;
  if (statement === undefined || others.length > 0 || statement.command.kind !== "simple")
    return undefined;
  const { assignments, words, redirects } = statement.command;
  const [redirect] = redirects;
  if (assignments.length > 0 || words.length > 0 || redirects.length !== 1) return undefined;
  if (redirect?.kind !== "file" || redirect.operator !== "<" || (redirect.fd ?? 0) !== 0)
    return undefined;
  return redirect.target;
}

async function readFile(shell: Shell, path: string): Promise<string> {
  let fd: number;
  try {
    fd = await shell.sys.open(path, O_RDONLY | O_CLOEXEC);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    shell.substitutionStatus = 1;
    await shell.complain(`${path}: ${errorWords(error)}`);
    return "";
  }
  try {
    shell.substitutionStatus = 0;
    return await readAll(shell, fd);
  } finally {
    await shell.sys.close(fd);
  }
}

/** All that comes, as text, without the last newlines. NUL bytes are dropped, which is said. */
async function readAll(shell: Shell, fd: number): Promise<string> {
  let buffer = new Uint8Array(4096);
  let length = 0;
  for (;;) {
    if (length === buffer.length) buffer = growBytes(buffer, length + 1);
    const into = buffer.subarray(length, length + CHUNK_BYTES);
    const count = await shell.retry(() => shell.sys.read(fd, into));
    if (count === 0) break;
    length += count;
  }
  let bytes = buffer.subarray(0, length);
  if (bytes.includes(0)) {
    await shell.complain("warning: command substitution: ignored null byte in input");
    bytes = bytes.filter((byte) => byte !== 0);
  }
  while (bytes.at(-1) === 10) bytes = bytes.subarray(0, -1);
  return decodeText(bytes);
}

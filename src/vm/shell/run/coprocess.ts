import { isKernelError, O_CLOEXEC } from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";
import { IndexedArray, isName } from "../state/variables.ts";
import type { Coprocess } from "../syntax/ast.ts";

/** `coproc`: a subshell with a pipe at either end; the array NAME holds our fds, NAME_PID its pid. */
export async function startCoprocess(shell: Shell, command: Coprocess): Promise<number> {
  const { sys } = shell;
  if (command.name !== undefined && !isName(command.name)) {
    await shell.complain(`\`${command.name}': not a valid identifier`);
    return 1;
  }
  const [theirInput, ourOutput] = await sys.pipe(O_CLOEXEC);
  const [ourInput, theirOutput] = await sys.pipe(O_CLOEXEC);
  const closed = [theirInput, ourOutput, ourInput, theirOutput].filter((fd) => fd > 1);
  const pid = await shell.interpreter.startSubshell(shell, {
    run: (child) => child.interpreter.runCommand(child, command.body),
    fds: [
      { fd: 0, from: theirInput },
      { fd: 1, from: theirOutput },
      ...closed.map((fd) => ({ fd, close: true }) as const),
    ],
  });
  await sys.close(theirInput);
  await sys.close(theirOutput);
  const readFd = await moveUp(shell, ourInput);
  const writeFd = await moveUp(shell, ourOutput);
  const name = command.name ?? "COPROC";
  shell.variables.ensure(name).value = new IndexedArray([
    [0, String(readFd)],
    [1, String(writeFd)],
  ]);
  shell.variables.set(`${name}_PID`, String(pid));
  shell.coprocesses.set(pid, { name, fds: [readFd, writeFd] });
  shell.lastBackgroundPid = pid;
  shell.jobs.add([pid], pid, command.text);
  return 0;
}

/** Out of the way of the fds a script names itself. */
async function moveUp(shell: Shell, fd: number): Promise<number> {
  const moved = await shell.sys.dup(fd, 60, true);
  await shell.sys.close(fd);
  return moved;
}

/** What is left of a coprocess that has ended: its fds and variables go. */
export async function forgetCoprocess(shell: Shell, pid: number): Promise<void> {
  const ended = shell.coprocesses.get(pid);
  if (ended === undefined) return;
  shell.coprocesses.delete(pid);
  for (const fd of ended.fds) {
    try {
      await shell.sys.close(fd);
    } catch (error) {
      if (!isKernelError(error)) throw error;
    }
  }
  shell.variables.unset(ended.name);
  shell.variables.unset(`${ended.name}_PID`);
}

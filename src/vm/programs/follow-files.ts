/** `tail -f`: what is appended to files, as it comes, until the process is ended. */
import {
  IN_MODIFY,
  isKernelError,
  O_CLOEXEC,
  O_RDONLY,
  POLLIN,
  SEEK_SET,
} from "../../kernel/index.ts";
import { writeAll } from "./output.ts";
import type { Run } from "./program.ts";

interface Followed {
  readonly name: string;
  readonly fd: number;
  offset: number;
}

/** How often a process named by --pid, or a file of another kind, is looked at. */
const LOOK_MS = 1000;

export async function followFiles(
  run: Run,
  operands: readonly string[],
  isNamed: boolean,
): Promise<void> {
  const { sys } = run;
  const watch = await sys.inotifyInit();
  const followed: Followed[] = [];
  for (const name of operands) {
    if (name === "-") continue;
    try {
      const fd = await sys.open(name, O_RDONLY | O_CLOEXEC);
      await sys.inotifyAddWatch(watch, name, IN_MODIFY);
      followed.push({ name, fd, offset: (await sys.fstat(fd)).size });
    } catch (error) {
      if (!isKernelError(error)) throw error;
    }
  }
  if (followed.length === 0) {
    if (operands.length > 0) await run.warn("no files remaining");
    return;
  }
  await followAll(run, watch, followed, isNamed);
}

async function followAll(
  run: Run,
  watch: number,
  followed: readonly Followed[],
  isNamed: boolean,
): Promise<void> {
  const { sys } = run;
  const events = new Uint8Array(4096);
  let last = followed.at(-1);
  for (;;) {
    for (const file of followed) {
      const added = await copyAdded(run, file, isNamed && file !== last);
      if (added) last = file;
    }
    const pid = run.options.get("pid");
    if (pid !== undefined && !(await isAlive(run, Number(pid)))) return;
    const [ready = 0] = await sys.poll(
      [{ fd: watch, events: POLLIN }],
      pid === undefined ? -1 : LOOK_MS,
    );
    if ((ready & POLLIN) !== 0) await sys.read(watch, events);
  }
}

async function copyAdded(run: Run, file: Followed, isAnnounced: boolean): Promise<boolean> {
  const { sys } = run;
  const { size } = await sys.fstat(file.fd);
  if (size < file.offset) {
    await run.warn(`${file.name}: file truncated`);
    file.offset = 0;
  }
  if (size === file.offset) return false;
  if (isAnnounced) run.out.addText(`\n==> ${file.name} <==\n`);
  await run.out.flush();
  await sys.seek(file.fd, file.offset, SEEK_SET);
  const buffer = new Uint8Array(65_536);
  for (
    let count = await sys.read(file.fd, buffer);
    count > 0;
    count = await sys.read(file.fd, buffer)
  ) {
    await writeAll(sys, 1, buffer.subarray(0, count));
    file.offset += count;
  }
  return true;
}

async function isAlive(run: Run, pid: number): Promise<boolean> {
  try {
    await run.sys.kill(pid, 0);
    return true;
  } catch (error) {
    if (isKernelError(error, "ESRCH")) return false;
    if (isKernelError(error)) return true;
    throw error;
  }
}

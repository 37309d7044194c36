import { isKernelError } from "../../../../src/kernel/abi/kernel-error.ts";
import { O_DIRECTORY, O_RDONLY } from "../../../../src/kernel/abi/open-flags.ts";
import { findSignalName } from "../../../../src/kernel/abi/signals.ts";
import { decodeText, encodeText } from "../../../../src/kernel/abi/text.ts";
import type { WaitStatus } from "../../../../src/kernel/abi/wait-status.ts";
import { makeCredentials } from "../../../../src/kernel/permissions/credentials.ts";
import type { Program } from "../../../../src/kernel/process/program.ts";
import type { Sys } from "../../../../src/kernel/syscalls/sys.ts";
import { readAll, readText, TestKernel, writeText } from "../../../support/test-kernel.ts";
import { type Answer, describeStat, type World } from "./world.ts";

const echo: Program = async (sys, argv) => {
  await sys.write(1, encodeText(`${argv.slice(1).join(" ")}\n`));
  return 0;
};

/** Who the host acts as: then both sides may do the same. */
const who = makeCredentials(
  process.getuid?.() ?? 0,
  process.getgid?.() ?? 0,
  process.getgroups?.() ?? [],
);

/** Runs a scenario in a process of a fresh kernel. */
export async function inKernel<T>(root: string, act: (world: World) => Promise<T>): Promise<T> {
  const test = await TestKernel.boot({ programs: { echo } });
  let above = "";
  for (const name of root.split("/").slice(1)) {
    above += `/${name}`;
    await test.sys.mkdir(above).catch((error: unknown) => {
      if (!isKernelError(error, "EEXIST")) throw error;
    });
  }
  await test.sys.chown(root, who.uid, who.gid);
  return test.as(who, async (sys) => {
    await sys.umask(process.umask());
    const answer = await act(new KernelWorld(sys, root));
    if (test.host.logged.length > 0) throw new Error(JSON.stringify(test.host.logged));
    return answer;
  });
}

class KernelWorld implements World {
  readonly root: string;
  readonly #sys: Sys;
  readonly #files: number[] = [];

  constructor(sys: Sys, root: string) {
    this.#sys = sys;
    this.root = root;
  }

  open = (path: string, flags: number, mode = 0o666): Promise<Answer> =>
    ask(async () => this.#files.push(await this.#sys.open(this.#at(path), flags, mode)) - 1);
  close = (file: number): Promise<Answer> =>
    ask(async () => {
      const fd = this.#fd(file);
      this.#files[file] = -1;
      await this.#sys.close(fd);
    });
  read = (file: number, count: number): Promise<Answer> =>
    this.#filled(count, (into) => this.#sys.read(this.#fd(file), into));
  pread = (file: number, count: number, offset: number): Promise<Answer> =>
    this.#filled(count, (into) => this.#sys.pread(this.#fd(file), into, offset));
  write = (file: number, text: string): Promise<Answer> =>
    ask(() => this.#sys.write(this.#fd(file), encodeText(text)));
  pwrite = (file: number, text: string, offset: number): Promise<Answer> =>
    ask(() => this.#sys.pwrite(this.#fd(file), encodeText(text), offset));
  fstat = (file: number): Promise<Answer> =>
    ask(async () => describeStat(await this.#sys.fstat(this.#fd(file))));
  ftruncate = (file: number, size: number): Promise<Answer> =>
    ask(() => this.#sys.ftruncate(this.#fd(file), size));
  fchmod = (file: number, mode: number): Promise<Answer> =>
    ask(() => this.#sys.fchmod(this.#fd(file), mode));
  fsync = (file: number): Promise<Answer> => ask(() => this.#sys.fsync(this.#fd(file)));
  stat = (path: string): Promise<Answer> =>
    ask(async () => describeStat(await this.#sys.stat(this.#at(path))));
  lstat = (path: string): Promise<Answer> =>
    ask(async () => describeStat(await this.#sys.lstat(this.#at(path))));
  access = (path: string, mode: number): Promise<Answer> =>
    ask(() => this.#sys.access(this.#at(path), mode));
  readdir = (path: string): Promise<Answer> => ask(() => this.#names(this.#at(path)));
  readlink = (path: string): Promise<Answer> => ask(() => this.#sys.readlink(this.#at(path)));
  mkdir = (path: string, mode = 0o777): Promise<Answer> =>
    ask(() => this.#sys.mkdir(this.#at(path), mode));
  rmdir = (path: string): Promise<Answer> => ask(() => this.#sys.rmdir(this.#at(path)));
  unlink = (path: string): Promise<Answer> => ask(() => this.#sys.unlink(this.#at(path)));
  rename = (from: string, to: string): Promise<Answer> =>
    ask(() => this.#sys.rename(this.#at(from), this.#at(to)));
  link = (from: string, to: string): Promise<Answer> =>
    ask(() => this.#sys.link(this.#at(from), this.#at(to)));
  symlink = (target: string, path: string): Promise<Answer> =>
    ask(() => this.#sys.symlink(target, this.#at(path)));
  chmod = (path: string, mode: number): Promise<Answer> =>
    ask(() => this.#sys.chmod(this.#at(path), mode));
  truncate = (path: string, size: number): Promise<Answer> =>
    ask(() => this.#sys.truncate(this.#at(path), size));
  utimes = (path: string, atimeMs: number, mtimeMs: number): Promise<Answer> =>
    ask(async () => {
      await this.#sys.utimes(this.#at(path), { atimeMs, mtimeMs });
      const stat = await this.#sys.stat(this.#at(path));
      return [stat.atimeMs, stat.mtimeMs];
    });
  file = (path: string, text = "", mode = 0o644): Promise<Answer> =>
    ask(() => writeText(this.#sys, this.#at(path), text, mode));
  text = (path: string): Promise<Answer> => ask(() => readText(this.#sys, this.#at(path)));

  run(path: string, ...argv: string[]): Promise<Answer> {
    return ask(async () => {
      const sys = this.#sys;
      const [readFd, writeFd] = await sys.pipe();
      const fds = [
        { fd: 1, from: writeFd },
        ...[readFd, writeFd].filter((fd) => fd !== 1).map((fd) => ({ fd, close: true as const })),
      ];
      try {
        const pid = await sys.spawn({ path: this.#at(path), argv: [this.#at(path), ...argv], fds });
        await sys.close(writeFd);
        const text = await readAll(sys, readFd);
        return [text, endOf((await sys.wait({ pid }))?.status)[0] ?? null];
      } finally {
        await sys.close(readFd);
      }
    });
  }

  signalSelf(signal: number): Promise<Answer> {
    return this.#ended(async (sys) => {
      await sys.kill(await sys.getpid(), signal);
      return 7;
    });
  }

  exitWith(code: number): Promise<Answer> {
    return this.#ended((sys) => sys.exit(code));
  }

  async #ended(program: Program): Promise<Answer> {
    const pid = await this.#sys.clone(program);
    return endOf((await this.#sys.wait({ pid }))?.status);
  }

  async #names(path: string): Promise<string[]> {
    const fd = await this.#sys.open(path, O_RDONLY | O_DIRECTORY);
    const entries = await this.#sys.readdir(fd);
    await this.#sys.close(fd);
    return entries.map(({ name }) => name).toSorted();
  }

  #filled(count: number, read: (into: Uint8Array) => Promise<number>): Promise<Answer> {
    const into = new Uint8Array(count);
    return ask(async () => decodeText(into.subarray(0, await read(into))));
  }

  #at(path: string): string {
    return path.startsWith("/") ? path : `${this.root}/${path}`;
  }

  #fd(file: number): number {
    return this.#files[file] ?? -1;
  }
}

/** As Node's child processes end: status and signal's name. */
function endOf(status: WaitStatus | undefined): [number | null, string | null] {
  if (status?.kind === "exited") return [status.code, null];
  if (status?.kind === "signaled") return [null, findSignalName(status.signal) ?? null];
  return [null, null];
}

async function ask(call: () => Promise<Answer | void>): Promise<Answer> {
  try {
    return (await call()) ?? null;
  } catch (error) {
    if (isKernelError(error)) return error.errno;
    throw error;
  }
}

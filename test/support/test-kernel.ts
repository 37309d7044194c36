import { O_CREAT, O_RDONLY, O_TRUNC, O_WRONLY } from "../../src/kernel/abi/open-flags.ts";
import { decodeText, encodeText } from "../../src/kernel/abi/text.ts";
import type { WaitStatus } from "../../src/kernel/abi/wait-status.ts";
import { DeviceFileSystem } from "../../src/kernel/filesystems/device-file-system.ts";
import type { SeedEntry } from "../../src/kernel/filesystems/memory/seed.ts";
import { MemoryFileSystem } from "../../src/kernel/filesystems/memory-file-system.ts";
import { ProcFileSystem } from "../../src/kernel/filesystems/proc/proc-file-system.ts";
import { PtsFileSystem } from "../../src/kernel/filesystems/pts-file-system.ts";
import type { KernelHost } from "../../src/kernel/host.ts";
import { Kernel } from "../../src/kernel/kernel.ts";
import type { LimitValues } from "../../src/kernel/limits/limits.ts";
import type { PathArg } from "../../src/kernel/permissions/check-path.ts";
import {
  type Credentials,
  makeCredentials,
  ROOT,
} from "../../src/kernel/permissions/credentials.ts";
import type { PermissionsConfig } from "../../src/kernel/permissions/policy.ts";
import type { Execution, Executor, Image } from "../../src/kernel/process/executor.ts";
import type { Process } from "../../src/kernel/process/process.ts";
import type { Program } from "../../src/kernel/process/program.ts";
import type { CloneOptions } from "../../src/kernel/process/spawn.ts";
import type { Sys } from "../../src/kernel/syscalls/sys.ts";
import type { FileSystem } from "../../src/kernel/vfs/file-system.ts";
import { ManualHost } from "./manual-host.ts";

export const USER = makeCredentials(1000, 1000, [1000]);
export const OTHER = makeCredentials(1001, 1001, [1001]);
export { ROOT };

const MAGIC = "\x7fPROGRAM ";

/** Runs files that hold `\x7fPROGRAM name` as the function of that name. */
export class TestExecutor implements Executor {
  readonly name = "program";
  readonly programs: Map<string, Program>;

  constructor(programs: Readonly<Record<string, Program>>) {
    this.programs = new Map(Object.entries(programs));
  }

  accepts(header: Uint8Array): boolean {
    return this.name === "program" && decodeText(header).startsWith(MAGIC);
  }

  identify(header: Uint8Array): string {
    return `/bin/${programName(header)}`;
  }

  start({ header, argv }: Image, sys: Sys): Execution {
    const name = programName(header);
    const program = this.programs.get(name);
    if (program === undefined) throw new Error(`there is no program ${name}`);
    return { ended: Promise.resolve().then(() => program(sys, argv)), kill: () => undefined };
  }
}

export interface TestKernelOptions<H extends KernelHost = ManualHost> {
  readonly limits?: Partial<LimitValues>;
  readonly permissions?: PermissionsConfig;
  readonly env?: ReadonlyMap<string, string>;
  /** Programs that are files in /bin. */
  readonly programs?: Readonly<Record<string, Program>>;
  readonly files?: readonly SeedEntry[];
  readonly host?: H;
  /** Gets every process's calls before the test does. */
  readonly observe?: (sys: Sys) => Sys;
}

/** Lets a test's function be a process: it may answer anything. */
export type Step<T> = (sys: Sys, process: Process) => Promise<T>;

/**
 * A kernel over a memory file system with /dev and /proc, and ways to act in it. /tmp is open to
 * all, /home/user belongs to USER, /root to root alone.
 */
export class TestKernel<H extends KernelHost = ManualHost> {
  readonly host: H;
  readonly kernel: Kernel;
  /** pid 1's calls: root, free of the policy. */
  readonly sys: Sys;
  /** What the calls of each process go through before the test gets them. */
  readonly observe: (sys: Sys) => Sys;

  constructor(host: H, options: TestKernelOptions<H>) {
    this.host = host;
    const programs = options.programs ?? {};
    this.kernel = new Kernel({
      host,
      root: (limits) => {
        const root = new MemoryFileSystem({ now: () => host.now(), limits });
        root.seed([...usualTree, ...programFiles(programs), ...(options.files ?? [])]);
        return root;
      },
      executors: [new TestExecutor(programs)],
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      ...(options.permissions === undefined ? {} : { permissions: options.permissions }),
      ...(options.env === undefined ? {} : { env: options.env }),
    });
    this.observe = options.observe ?? ((sys) => sys);
    this.sys = this.kernel.sysOf(this.kernel.init);
  }

  static async boot(options?: TestKernelOptions): Promise<TestKernel>;
  static async boot<H extends KernelHost>(
    options: TestKernelOptions<H> & { readonly host: H },
  ): Promise<TestKernel<H>>;
  static async boot(options: TestKernelOptions<KernelHost> = {}): Promise<TestKernel<KernelHost>> {
    const made = new TestKernel<KernelHost>(options.host ?? new ManualHost(), options);
    const { kernel, host } = made;
    await made.mount("/dev", new DeviceFileSystem({ host, limits: kernel.limits }));
    await made.mount("/dev/pts", new PtsFileSystem(kernel.ptys, () => host.now()));
    await made.mount("/proc", new ProcFileSystem(kernel));
    return made;
  }

  async mount(path: string, fileSystem: FileSystem, isReadOnly = false): Promise<void> {
    const { vfs, init } = this.kernel;
    const { existing } = await vfs.walkFrom(init, path, true);
    if (existing === undefined) throw new Error(`${path} is not there`);
    vfs.mounts.add(existing, { fileSystem, isReadOnly });
  }

  /** Does something in a process of its own; answers what the step answers, fails as it fails. */
  async as<T>(credentials: Credentials, step: Step<T>, options: CloneOptions = {}): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const pid = await this.start(
      async (sys, process) => {
        await step(sys, process).then(resolve, reject);
        return 0;
      },
      { credentials, ...options },
    );
    await this.sys.wait({ pid });
    reject(new Error(`process ${pid} has ended before its step`));
    return promise;
  }

  async asUser<T>(step: Step<T>): Promise<T> {
    return this.as(USER, step);
  }

  async asRoot<T>(step: Step<T>): Promise<T> {
    return this.as(ROOT, step);
  }

  /** Starts a child of pid 1; answers its pid. */
  async start(step: Step<number>, options: CloneOptions = {}): Promise<number> {
    return this.sys.clone(
      async (sys) => {
        const pid = await sys.getpid();
        return step(this.observe(sys), this.kernel.processes.get(pid));
      },
      { argv: ["test"], cwd: "/tmp", ...options },
    );
  }

  /** Runs a child of pid 1 to its end. */
  async run(step: Step<number>, options: CloneOptions = {}): Promise<WaitStatus | undefined> {
    const pid = await this.start(step, options);
    return (await this.sys.wait({ pid }))?.status;
  }
}

/** A program that waits until it is killed. */
export async function sleeper(sys: Sys): Promise<number> {
  await sys.nanosleep(Number.MAX_SAFE_INTEGER);
  return 0;
}

/** Makes a file with this text, or replaces its content. */
export async function writeText(
  sys: Sys,
  path: PathArg,
  text: string,
  mode = 0o644,
): Promise<void> {
  const fd = await sys.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
  await sys.write(fd, encodeText(text));
  await sys.close(fd);
}

export async function readText(sys: Sys, path: PathArg): Promise<string> {
  const fd = await sys.open(path, O_RDONLY);
  const text = await readAll(sys, fd);
  await sys.close(fd);
  return text;
}

/** Everything up to the end. */
export async function readAll(sys: Sys, fd: number): Promise<string> {
  const parts: Uint8Array[] = [];
  for (;;) {
    const into = new Uint8Array(65_536);
    const count = await sys.read(fd, into);
    if (count === 0) break;
    parts.push(into.subarray(0, count));
  }
  return decodeText(Buffer.concat(parts));
}

const usualTree: readonly SeedEntry[] = [
  { path: "/dev", kind: "directory" },
  { path: "/proc", kind: "directory", mode: 0o555 },
  { path: "/bin", kind: "directory" },
  { path: "/tmp", kind: "directory", mode: 0o1777 },
  { path: "/root", kind: "directory", mode: 0o700 },
  { path: "/home/user", kind: "directory", uid: 1000, gid: 1000 },
];

function programName(header: Uint8Array): string {
  return decodeText(header).slice(MAGIC.length).split("\n")[0] ?? "";
}

function programFiles(programs: Readonly<Record<string, Program>>): SeedEntry[] {
  return Object.keys(programs).map((name) => ({
    path: `/bin/${name}`,
    kind: "file",
    mode: 0o755,
    content: encodeText(`${MAGIC}${name}\n`),
  }));
}

// A provider whose sandboxes are processes of this host in a directory: real processes, no walls. What
// goes wrong at real providers can be made to go wrong here.
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { type FileSystem, KernelError, MemoryFileSystem } from "../../src/kernel/index.ts";
import {
  type Abilities,
  type Probe,
  type ProcessEnd,
  type Sandbox,
  SandboxError,
  type SandboxProcess,
  type SandboxProvider,
  type SandboxRecord,
  type SandboxSpec,
  type SpawnOptions,
} from "../../src/sandbox-escalation/provider.ts";

export const abilities: Abilities = {
  isolation: "namespace",
  memory: "none",
  pids: "none",
  cpu: "none",
  disk: "none",
  network: ["none"],
  packages: "none",
  hasTerminals: false,
  stopKeeps: "files",
  canSnapshot: false,
  isBillable: false,
};

export class ProcessProvider implements SandboxProvider {
  readonly id: string;
  readonly created: ProcessSandbox[] = [];
  /** What `create` waits for. */
  gate: Promise<void> = Promise.resolve();
  failure: Error | undefined;
  stopKeeps: Abilities["stopKeeps"] = "files";

  constructor(id = "local") {
    this.id = id;
  }

  async probe(): Promise<Probe> {
    return { isUsable: true, abilities };
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    await this.gate;
    signal?.throwIfAborted();
    if (this.failure !== undefined) throw this.failure;
    const facts = { ...abilities, stopKeeps: this.stopKeeps };
    const sandbox = new ProcessSandbox(`ref-${this.created.length + 1}`, spec, facts);
    this.created.push(sandbox);
    return sandbox;
  }

  async attach(ref: string): Promise<Sandbox> {
    const found = this.created.find((sandbox) => sandbox.ref === ref && !sandbox.isDestroyed);
    if (found === undefined) throw new SandboxError("gone", `There is no sandbox ${ref}.`);
    return found;
  }

  async list(owner: string): Promise<readonly SandboxRecord[]> {
    return this.created
      .filter(({ isDestroyed, spec }) => !isDestroyed && spec.owner === owner)
      .map(({ ref, spec }) => ({ ref, vm: spec.vm, createdAtMs: 0 }));
  }
}

export class ProcessSandbox implements Sandbox {
  readonly ref: string;
  readonly spec: SandboxSpec;
  readonly abilities: Abilities;
  readonly cwd: string;
  readonly files: FileSystem = new MemoryFileSystem({ now: () => 0 });
  readonly gone: Promise<string>;
  readonly children = new Set<ChildProcess>();
  isDestroyed = false;
  isRunning = true;
  resumes = 0;
  destroyFailure: Error | undefined;
  #lose: (why: string) => void = () => undefined;

  constructor(ref: string, spec: SandboxSpec, facts: Abilities) {
    this.ref = ref;
    this.spec = spec;
    this.abilities = facts;
    this.cwd = spec.workspace;
    this.gone = new Promise((resolve) => {
      this.#lose = resolve;
    });
  }

  async spawn(argv: readonly string[], { cwd, env }: SpawnOptions): Promise<SandboxProcess> {
    if (!this.isRunning) throw new SandboxError("gone", "The sandbox does not run.");
    const [file = "", ...rest] = argv;
    const child = spawn(file, rest, {
      cwd,
      env: { PATH: process.env["PATH"], ...env },
      detached: true,
    });
    this.children.add(child);
    child.on("exit", () => this.children.delete(child));
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve).once("error", reject);
    });
    return processOf(child);
  }

  lose(why: string): void {
    this.#end();
    this.#lose(why);
  }

  async stop(): Promise<void> {
    this.#end();
  }

  async resume(): Promise<void> {
    this.resumes += 1;
    this.isRunning = true;
  }

  async snapshot(): Promise<string> {
    throw new SandboxError("unsupported", "No snapshots here.");
  }

  async usage(): Promise<{ wallMs: number }> {
    return { wallMs: 0 };
  }

  async destroy(): Promise<void> {
    this.#end();
    if (this.destroyFailure !== undefined) throw this.destroyFailure;
    this.isDestroyed = true;
  }

  #end(): void {
    this.isRunning = false;
    for (const child of this.children) killGroup(child, "SIGKILL");
  }
}

function processOf(child: ChildProcess): SandboxProcess {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error("no pipes");
  stdin.on("error", () => stdin.destroy());
  return {
    id: String(child.pid),
    output: stdout,
    errors: stderr,
    ended: new Promise<ProcessEnd>((resolve) => {
      child.once("exit", (code, signal) => {
        if (signal === null) return resolve({ status: code ?? 0 });
        return resolve({ status: 128 + constants.signals[signal], signal });
      });
    }),
    writeInput: (bytes) =>
      new Promise((resolve, reject) => {
        if (stdin.destroyed) return reject(new KernelError("EPIPE"));
        stdin.write(bytes, (error) => (error ? reject(new KernelError("EPIPE")) : resolve()));
      }),
    closeInput: async () => {
      stdin.end();
    },
    resize: async () => undefined,
    kill: async (signal) => killGroup(child, signal as NodeJS.Signals),
  };
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

// What the adapter asks of the library microsandbox, where no microVM can boot: each box is a process tree in
// namespaces of its own, with a root that stays when it stops. What the real one does is tested where it boots.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  Box,
  BoxBuilder,
  BoxExecOptions,
  BoxHandle,
  BoxListing,
  BoxProcess,
  Microsandbox,
  MicrosandboxLibrary,
} from "../../../../src/sandbox-escalation/providers/microsandbox/microsandbox-library.ts";

type Settings = Map<string, unknown>;

class StandingBox {
  status = "stopped";
  readonly createdAt = new Date();
  readonly name: string;
  readonly root: string;
  readonly settings: Settings;
  #child: ChildProcess | undefined;

  constructor(name: string, root: string, settings: Settings) {
    this.name = name;
    this.root = root;
    this.settings = settings;
  }

  start(): Box {
    this.status = "running";
    return {
      name: this.name,
      backendKind: "local",
      fs: () => ({ write: async (path, data) => this.#write(join(this.root, path), data) }),
      execStreamWith: async (command, configure) => {
        const words: string[] = [];
        const options: BoxExecOptions = {
          args: (more) => (words.push(...more), options),
          user: () => options,
          stdinPipe: () => options,
        };
        configure(options);
        return this.#run([command, ...words]);
      },
      metrics: async () => ({ vcpuTimeNs: 5_000_000, memoryBytes: 4096 }),
    };
  }

  async stop(): Promise<void> {
    this.status = "stopped";
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }

  /** A program that ran in the box before may not have ended yet: its file is another one from now on. */
  #write(file: string, data: Uint8Array): void {
    rmSync(file, { force: true });
    writeFileSync(file, data);
  }

  #run(words: readonly string[]): BoxProcess {
    const child = spawn("/usr/bin/bwrap", [...describeWalls(this.root), "--", ...words], {
      stdio: ["pipe", "pipe", "ignore"],
      env: { PATH: "/usr/bin:/bin" },
    });
    this.#child = child;
    const { stdin } = child;
    stdin.on("error", () => stdin.destroy());
    const output = child.stdout[Symbol.asyncIterator]();
    return {
      recv: async () => {
        const { done, value } = await output.next();
        return done === true ? null : { kind: "stdout", data: value };
      },
      takeStdin: async () => ({
        write: (data) => new Promise((resolve) => stdin.write(data, () => resolve())),
        close: async () => void stdin.end(),
      }),
      kill: async () => void child.kill("SIGKILL"),
    };
  }
}

/** The host's tools are shown in it; their places have the usual names. */
function makeRoot(root: string): void {
  mkdirSync(root);
  for (const name of ["bin", "lib", "lib64", "sbin"]) symlinkSync(`usr/${name}`, join(root, name));
}

function describeWalls(root: string): string[] {
  const spaces = ["--unshare-user", "--uid", "0", "--gid", "0", "--unshare-pid", "--unshare-net"];
  const tools = ["usr", "etc"].flatMap((name) => ["--ro-bind", `/${name}`, `/${name}`]);
  const own = ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--dir", "/root"];
  return [...spaces, "--die-with-parent", "--bind", root, "/", ...tools, ...own];
}

class LibraryError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export class StandingInLibrary {
  readonly boxes = new Map<string, StandingBox>();
  /** Answers that a box is destroyed, and keeps it. */
  isForgetful = false;
  /** What making a box fails with. */
  failure: string | undefined;
  doctor = { status: 0, text: "" };
  readonly #directory = mkdtempSync(join(tmpdir(), "agentos-boxes-"));

  get microsandbox(): Microsandbox {
    const library: MicrosandboxLibrary = {
      Sandbox: {
        builder: (name) => this.#build(name),
        get: async (name) => this.#handle(this.#find(name)),
        listWith: async (configure) => this.#list(configure),
      },
      setDefaultBackend: () => {},
    };
    return { library, diagnose: async () => this.doctor };
  }

  async close(): Promise<void> {
    for (const box of this.boxes.values()) await box.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #find(name: string): StandingBox {
    const box = this.boxes.get(name);
    if (box === undefined) throw new LibraryError("sandboxNotFound");
    return box;
  }

  #build(name: string): BoxBuilder {
    const settings: Settings = new Map();
    const setting =
      (key: string) =>
      (value: unknown = true) => {
        settings.set(key, value);
        return builder;
      };
    const builder: BoxBuilder = {
      image: setting("image"),
      fromSnapshot: setting("fromSnapshot"),
      rootDisk: setting("rootDisk"),
      cpus: setting("cpus"),
      memory: setting("memory"),
      labels: setting("labels"),
      pullPolicy: setting("pullPolicy"),
      disableNetwork: setting("disableNetwork"),
      maxDuration: setting("maxDuration"),
      quietLogs: setting("quietLogs"),
      create: async () => this.#create(name, settings),
    };
    return builder;
  }

  #create(name: string, settings: Settings): Box {
    if (this.failure !== undefined) throw new LibraryError(this.failure);
    const root = join(this.#directory, name);
    const snapshot = settings.get("fromSnapshot");
    if (typeof snapshot === "string")
      cpSync(this.#snapshotAt(snapshot), root, { recursive: true, verbatimSymlinks: true });
    else makeRoot(root);
    const box = new StandingBox(name, root, settings);
    this.boxes.set(name, box);
    return box.start();
  }

  #handle(box: StandingBox): BoxHandle {
    return {
      name: box.name,
      status: box.status,
      createdAt: box.createdAt,
      config: () => ({ labels: box.settings.get("labels") }),
      start: async () => box.start(),
      stop: () => box.stop(),
      destroy: async () => {
        if (this.isForgetful) return;
        await box.stop();
        this.boxes.delete(box.name);
        rmSync(box.root, { recursive: true, force: true });
      },
      snapshot: async (name) => {
        if (box.status === "running") throw new LibraryError("snapshotSandboxRunning");
        if (existsSync(this.#snapshotAt(name))) throw new LibraryError("snapshotExists");
        cpSync(box.root, this.#snapshotAt(name), { recursive: true, verbatimSymlinks: true });
      },
    };
  }

  #list(configure: (list: BoxListing) => BoxListing) {
    const wanted = new Map<string, string>();
    let from = 0;
    const listing: BoxListing = {
      limit: () => listing,
      cursor: (cursor) => ((from = Number(cursor)), listing),
      label: (name, value) => (wanted.set(name, value), listing),
    };
    configure(listing);
    const all = [...this.boxes.values()].filter(({ settings }) => {
      const own = new Map(Object.entries(settings.get("labels") ?? {}));
      return [...wanted].every(([name, value]) => own.get(name) === value);
    });
    // One at a time, so that there are pages.
    const page = all.slice(from, from + 1).map((box) => this.#handle(box));
    const next = from + 1 < all.length ? { nextCursor: String(from + 1) } : {};
    return { sandboxes: page, ...next };
  }

  #snapshotAt(name: string): string {
    return join(this.#directory, `snapshot-${name}`);
  }
}

// What is used of the library microsandbox, written down from version 0.6.18: it is a peer of 87 MB that operators
// install if they want it, so its own types are not here. It is loaded when it is first needed.
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export interface MicrosandboxLibrary {
  readonly Sandbox: {
    /** Names are ours: 128 bytes at most. */
    builder(name: string): BoxBuilder;
    /** Fails with the code "sandboxNotFound". */
    get(name: string): Promise<BoxHandle>;
    listWith(configure: (list: BoxListing) => BoxListing): Promise<BoxPage>;
  };
  setDefaultBackend(backend: "local"): void;
}

/** Each call changes it and answers it. */
export interface BoxBuilder {
  /** An OCI reference. */
  image(reference: string): this;
  fromSnapshot(name: string): this;
  rootDisk(mebibytes: number): this;
  cpus(count: number): this;
  memory(mebibytes: number): this;
  labels(labels: Readonly<Record<string, string>>): this;
  pullPolicy(policy: "if-missing" | "never"): this;
  disableNetwork(): this;
  /** Seconds. */
  maxDuration(seconds: number): this;
  quietLogs(): this;
  /** Boots it; it ends with this process unless it is detached. */
  create(): Promise<Box>;
}

export interface BoxListing {
  limit(count: number): this;
  cursor(cursor: string): this;
  label(name: string, value: string): this;
}

export interface BoxPage {
  readonly sandboxes: readonly BoxHandle[];
  readonly nextCursor?: string | undefined;
}

/** One that the library knows, running or not. */
export interface BoxHandle {
  readonly name: string;
  readonly status: string;
  readonly createdAt: Date | null;
  config(): Record<string, unknown>;
  start(): Promise<Box>;
  /** Lets it write what it holds; ends it by force after ten seconds. */
  stop(): Promise<void>;
  destroy(options: { readonly force: boolean; readonly timeoutMs: number }): Promise<void>;
  /** Of a stopped one, below the library's own directory. */
  snapshot(name: string): Promise<unknown>;
}

/** One that runs. */
export interface Box {
  readonly name: string;
  readonly backendKind: "local" | "cloud";
  fs(): { write(path: string, data: Uint8Array): Promise<void> };
  execStreamWith(
    command: string,
    configure: (options: BoxExecOptions) => BoxExecOptions,
  ): Promise<BoxProcess>;
  metrics(): Promise<{ readonly vcpuTimeNs: number; readonly memoryBytes: number }>;
}

export interface BoxExecOptions {
  args(words: readonly string[]): this;
  /** A name, or a number. */
  user(user: string): this;
  stdinPipe(): this;
}

export interface BoxProcess {
  /** Null when there is no more. */
  recv(): Promise<BoxEvent | null>;
  takeStdin(): Promise<{ write(data: Uint8Array): Promise<void>; close(): Promise<void> } | null>;
  kill(): Promise<void>;
}

export type BoxEvent =
  | { readonly kind: "started"; readonly pid: number }
  | { readonly kind: "stdout" | "stderr"; readonly data: Uint8Array }
  | { readonly kind: "exited"; readonly code: number };

/** The library, and its own look at this machine. */
export interface Microsandbox {
  readonly library: MicrosandboxLibrary;
  /** What `msb doctor` says, and its exit status. */
  diagnose(signal?: AbortSignal): Promise<{ readonly status: number; readonly text: string }>;
}

/** Undefined where it is not installed. `from` is a file that finds its packages where it is. */
export async function findMicrosandbox(from: string): Promise<Microsandbox | undefined> {
  try {
    const main = createRequire(from).resolve("microsandbox");
    const found: unknown = await import(pathToFileURL(main).href);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is used of it is written down above
    const library = found as MicrosandboxLibrary;
    // A variable could choose microsandbox's cloud, which costs money and is elsewhere.
    library.setDefaultBackend("local");
    const command = join(main, "..", "..", "bin", "microsandbox.cjs");
    return { library, diagnose: (signal) => runDoctor(command, signal) };
  } catch {
    // Not installed, or not for this platform or Node: the probe says how to have it.
    return undefined;
  }
}

/** Half a second here; it looks at files and devices. */
const DOCTOR_MS = 20_000;

function runDoctor(
  command: string,
  signal: AbortSignal | undefined,
): Promise<{ status: number; text: string }> {
  const options = {
    timeout: DOCTOR_MS,
    maxBuffer: 1024 * 1024,
    ...(signal === undefined ? {} : { signal }),
  };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [command, "doctor"], options, (_, stdout, stderr) =>
      resolve({ status: child.exitCode ?? 1, text: `${stdout}\n${stderr}` }),
    );
  });
}

/** The library's code for an error; "" where it has none. */
export function codeOfFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

export function describeFailure(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `microsandbox: ${text.replace(/\s+/g, " ").slice(0, 400)}`;
}

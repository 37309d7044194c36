// A child process whose streams are measured: fed with bytes, its output counted.
import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface ChildRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Given to its stdin; end of file at once where there is none. */
  readonly input?: Iterable<Uint8Array>;
}

export interface ChildResult {
  readonly exitCode: number;
  /** Of stdout. */
  readonly bytes: number;
  /** The first of them. */
  readonly stdout: string;
}

/** How much of the output is kept: more than any command prints whose answer is looked at. */
const KEPT_BYTES = 1024 * 1024;

/** Runs it to its end. Throws when it cannot be started; its stderr is in the error of a failed one. */
export async function runChild({ file, args, env, input }: ChildRequest): Promise<ChildResult> {
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "pipe"], ...(env && { env }) });
  const kept: Buffer[] = [];
  let bytes = 0;
  child.stdout.on("data", (part: Buffer) => {
    if (bytes < KEPT_BYTES) kept.push(part);
    bytes += part.length;
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = `${complaint}${text}`.slice(-1000);
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve(code ?? -1));
  });
  const [exitCode] = await Promise.all([ended, pipeline(Readable.from(input ?? []), child.stdin)]);
  if (exitCode !== 0 && complaint !== "") throw new Error(`${file}: ${complaint.trim()}`);
  return { exitCode, bytes, stdout: Buffer.concat(kept).toString("utf8") };
}

/** The same program on a terminal. Python's is the one that every machine of ours has. */
export function onTerminal({ file, args, ...rest }: ChildRequest): ChildRequest {
  return { ...rest, file: "python3", args: ["-c", TERMINAL, file, ...args] };
}

const TERMINAL = `import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], lambda fd: os.read(fd, 65536))))`;

const CHUNK = new Uint8Array(1024 * 1024).fill(0x61);

/** That many bytes, a megabyte at a time. */
export function* bytesToFeed(bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, left);
}

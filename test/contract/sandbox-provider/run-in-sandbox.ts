// Runs a command in a sandbox to its end, with all it says.
import type {
  ProcessEnd,
  Sandbox,
  SandboxProcess,
  SpawnOptions,
} from "../../../src/sandbox-escalation/provider.ts";

export interface SandboxRun extends ProcessEnd {
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions extends Partial<SpawnOptions> {
  readonly input?: string;
}

export async function runInSandbox(
  sandbox: Sandbox,
  argv: readonly string[],
  options: RunOptions = {},
): Promise<SandboxRun> {
  const { input, ...spawn } = options;
  const process = await sandbox.spawn(argv, { cwd: sandbox.cwd, env: {}, ...spawn });
  const feed = async () => {
    if (input !== undefined) await process.writeInput(Buffer.from(input));
    await process.closeInput();
  };
  const [stdout, stderr, end] = await Promise.all([
    collect(process.output),
    collect(process.errors),
    process.ended,
    feed(),
  ]);
  return { ...end, stdout, stderr };
}

/** A line of sh; what it says, or a failed test where it fails. */
export async function sh(
  sandbox: Sandbox,
  line: string,
  options?: RunOptions,
): Promise<SandboxRun> {
  return await runInSandbox(sandbox, ["sh", "-c", line], options);
}

export async function collect(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Reads output until it holds the text; fails when it ends before. */
export async function readUntil(process: SandboxProcess, text: string): Promise<string> {
  let seen = "";
  const iterator = process.output[Symbol.asyncIterator]();
  while (!seen.includes(text)) {
    const { done, value } = await iterator.next();
    if (done === true) throw new Error(`the output ended without ${text}: ${seen}`);
    seen += Buffer.from(value).toString();
  }
  return seen;
}

// Runs a test file under the host's pinned Node: what fails there says nothing about a VM.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { judge, type Outcome } from "./outcome.ts";
import type { TestFile } from "./test-file.ts";

/** Long: a file must not be left out because this machine was busy. */
const LIMIT_MS = 120_000;
const KEPT_CHARACTERS = 1_000_000;
/** As in a VM, tests are not root's. Debian's and Linux's number of `nobody`. */
const NOBODY = 65_534;

/** Runs it as `nobody` where we are root. Never fails: a run that cannot start has failed. */
export async function runOnHost(checkout: string, file: TestFile): Promise<Outcome> {
  const scratch = mkdtempSync(join(tmpdir(), "agentos-node-test-"));
  chmodSync(scratch, 0o777);
  try {
    return await runIn(scratch, checkout, file);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function runIn(scratch: string, checkout: string, file: TestFile): Promise<Outcome> {
  const { promise, resolve: end } = Promise.withResolvers<Outcome>();
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...file.flags, `${checkout}/test/parallel/${file.name}`], {
    cwd: resolve(checkout, "test/parallel"),
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: scratch,
      LANG: "C.UTF-8",
      NODE_TEST_DIR: scratch,
      ...file.env,
    },
    detached: true,
    ...(process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  let stdout = "";
  let stderr = "";
  let timedOut = false;
  const killGroup = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  };
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup();
  }, LIMIT_MS);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (stdout.length < KEPT_CHARACTERS) stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (stderr.length < KEPT_CHARACTERS) stderr += text;
  });
  child.stdin.on("error", () => undefined).end();
  const finish = (exitCode: number): void => {
    clearTimeout(timer);
    const durationMs = Math.round(performance.now() - startedAt);
    end(judge({ exitCode, stdout, stderr, timedOut, durationMs }));
  };
  child.on("error", (error) => {
    stderr += `cannot start: ${error.message}`;
    finish(126);
  });
  let status = 128;
  child.on("exit", (code) => {
    status = code ?? 128;
    killGroup();
  });
  child.on("close", () => finish(status));
  return promise;
}

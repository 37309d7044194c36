// A sandbox that turns a directory of its workspace into a link to the host's secret and back, again and again,
// while the host reads and writes below that name.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FileSystem, isKernelError } from "../../../src/kernel/index.ts";
import { openLocal } from "../../sandbox-escalation/providers/local/local-under-test.ts";

export interface RaceOutcome {
  /** Reads that gave the sandbox's own file: the race was one. */
  readonly plain: number;
  /** Reads that gave the secret. */
  readonly leaks: number;
  /** Writes that changed it. */
  readonly written: number;
}

export async function raceForSecret(durationMs: number): Promise<RaceOutcome> {
  const underTest = openLocal();
  const secrets = mkdtempSync("/var/tmp/agentos-race-");
  const secret = join(secrets, "file");
  chmodSync(secrets, 0o777);
  writeFileSync(secret, "secret");
  chmodSync(secret, 0o666);
  try {
    const { provider, makeSpec } = underTest;
    const sandbox = await provider.create(await makeSpec());
    const line = `mkdir real; echo plain > real/file; ln -s ${secrets} link; ln -s ${secret} file-link; while :; do mv -T real d; mv -T d real; mv -T link d; mv -T d link; done`;
    const racer = await sandbox.spawn(["sh", "-c", line], { cwd: sandbox.cwd, env: {} });
    const outcome = { plain: 0, leaks: 0, written: 0 };
    const end = performance.now() + durationMs;
    while (performance.now() < end) {
      const places = [["d", "file"], ["link", "file"], ["file-link"]];
      const reads = await Promise.all(places.map((path) => readAndWrite(sandbox.files, path)));
      outcome.leaks += reads.filter((read) => read.includes("secret")).length;
      outcome.plain += reads.filter((read) => read !== "" && !read.includes("secret")).length;
      if (readFileSync(secret, "utf8") !== "secret") outcome.written += 1;
    }
    await racer.kill("SIGKILL");
    await sandbox.destroy();
    return outcome;
  } finally {
    rmSync(secrets, { recursive: true, force: true });
    await underTest.close();
  }
}

/** What a VM's kernel would do at a path, following nothing. */
async function readAndWrite(files: FileSystem, path: readonly string[]): Promise<string> {
  try {
    let inode = files.root;
    for (const name of path) {
      const found = await files.lookup(inode, name);
      if (found === undefined) return "";
      inode = found;
    }
    const into = new Uint8Array(64);
    const count = await files.read(inode, into, 0);
    await files.write(inode, Buffer.from("WRITTEN"), 0);
    return Buffer.from(into.subarray(0, count)).toString();
  } catch (error) {
    if (isKernelError(error)) return "";
    throw error;
  }
}

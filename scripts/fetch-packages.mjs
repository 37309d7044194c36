// Installs the packages that test/conformance/packages runs in a VM, at the versions of its lock, without
// their scripts, into the folder that the tests look at. Says so and ends with 1 where npm cannot.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixtures, packageCache } from "../test/conformance/packages/package-cache.ts";

const LIMIT_MS = 300_000;
const folder = packageCache();

if (existsSync(join(folder, "node_modules"))) {
  process.stdout.write(`packages are in ${folder}\n`);
} else {
  const work = mkdtempSync(join(tmpdir(), "agentos-mcp-packages-"));
  try {
    for (const name of ["package.json", "package-lock.json"])
      copyFileSync(join(fixtures, name), join(work, name));
    const { status } = spawnSync(
      "npm",
      ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
      { cwd: work, stdio: ["ignore", "ignore", "inherit"], timeout: LIMIT_MS },
    );
    if (status === 0) {
      renameSync(work, folder);
      process.stdout.write(`packages are in ${folder}\n`);
    } else {
      process.stderr.write(`fetch-packages: npm ci failed (${status}): the tests are skipped\n`);
      process.exitCode = 1;
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

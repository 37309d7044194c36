// The two builds that are compared, each laid out in a folder as npm installs the package: without
// sources, so nothing is built anew while it is measured, whatever happens to the checkout.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ensureDist } from "../../scripts/ensure-dist.mjs";
import { projectRoot } from "../../scripts/find-command.mjs";
import { runStep } from "./run-step.ts";

/** A commit that cannot be compared with; the message says why. */
export class CommitError extends Error {}

export interface Work {
  /** An empty folder of the caller's, who removes it. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export interface Build {
  /** The commit, short; of a checkout with changes it ends in "+". */
  readonly title: string;
  /** Where its package.json is. */
  readonly folder: string;
}

/** This checkout as it is now, with changes that are not committed. */
export async function buildHead({ folder, signal, say }: Work): Promise<Build> {
  say("building this checkout ...");
  await ensureDist();
  const into = join(folder, "head");
  layOut(projectRoot, into);
  symlinkSync(join(projectRoot, "node_modules"), join(into, "node_modules"));
  const commit = await git(["rev-parse", "--short", "HEAD"], signal);
  const changes = await git(["status", "--porcelain", "--", "src", "bin", "package.json"], signal);
  return { title: `${commit}${changes === "" ? "" : "+"}`, folder: into };
}

/** Throws CommitError when there is no such commit or it does not build. */
export async function buildCommit(commit: string, work: Work): Promise<Build> {
  const { folder, signal, say } = work;
  const title = await findCommit(commit, signal);
  const sources = join(folder, "base-sources");
  const into = join(folder, "base");
  try {
    say(`building ${title} ...`);
    await checkOut(title, { ...work, folder: sources });
    await provideModules(sources, work);
    const script = join(sources, "scripts", "ensure-dist.mjs");
    await runStep({ file: process.execPath, args: [script], cwd: sources, signal });
    layOut(sources, into);
    renameSync(join(sources, "node_modules"), join(into, "node_modules"));
    rmSync(sources, { recursive: true });
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommitError(`The commit ${title} does not build:\n${reason}`, { cause: error });
  }
  return { title, folder: into };
}

async function findCommit(commit: string, signal: AbortSignal): Promise<string> {
  try {
    return await git(
      ["rev-parse", "--short", "--verify", "--end-of-options", `${commit}^{commit}`],
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    throw new CommitError(`There is no commit "${commit}" in this repository.`, { cause: error });
  }
}

async function checkOut(commit: string, { folder, signal }: Work): Promise<void> {
  mkdirSync(folder);
  const archive = `${folder}.tar`;
  await git(["archive", `--output=${archive}`, commit], signal);
  await runStep({ file: "tar", args: ["-xf", archive], cwd: folder, signal });
  rmSync(archive);
}

/** Ours where the commit wants the same packages, else its own from the registry. */
async function provideModules(sources: string, { signal, say }: Work): Promise<void> {
  const lock = "package-lock.json";
  const isSame = readFileSync(join(sources, lock)).equals(readFileSync(join(projectRoot, lock)));
  if (isSame) {
    symlinkSync(join(projectRoot, "node_modules"), join(sources, "node_modules"));
    return;
  }
  say(`installing its packages (its ${lock} differs) ...`);
  // Not `ci`, which refuses the incomplete lock files that older commits have.
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await runStep({ file: "npm", args, cwd: sources, signal });
}

/** Copies what the package publishes. */
function layOut(from: string, into: string): void {
  const manifest = readFileSync(join(from, "package.json"), "utf8");
  const { files } = JSON.parse(manifest) as { readonly files: readonly string[] };
  for (const file of ["package.json", ...files]) {
    if (!existsSync(join(from, file))) continue;
    mkdirSync(dirname(join(into, file)), { recursive: true });
    cpSync(join(from, file), join(into, file), { recursive: true });
  }
}

async function git(args: readonly string[], signal: AbortSignal): Promise<string> {
  return runStep({ file: "git", args, cwd: projectRoot, signal });
}

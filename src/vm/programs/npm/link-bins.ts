/** Links to packages' commands: node_modules/.bin, and for `-g` the prefix's bin. */
import { isKernelError, type Sys } from "../../../kernel/index.ts";
import { relativePath } from "../relative-path.ts";
import { findStat } from "../run-command.ts";
import { NpmFailure } from "./failure.ts";
import { listNames, makeDirectories } from "./files.ts";
import type { JsonObject } from "./json.ts";
import { packageBins } from "./manifest.ts";
import { below, isInside, parentOf, resolveFrom } from "./paths.ts";

/** Commands linked for one package. */
const BIN_LIMIT = 1000;

/** Links the commands of the package at `path` into `folder`, and makes their files executable. */
export async function linkBins(
  sys: Sys,
  {
    path,
    manifest,
    folder,
    isForced = false,
  }: {
    readonly path: string;
    readonly manifest: JsonObject;
    readonly folder: string;
    readonly isForced?: boolean;
  },
): Promise<void> {
  const bins = [...packageBins(manifest)].slice(0, BIN_LIMIT);
  for (const [command, file] of bins) {
    const target = below(path, file);
    if ((await findStat(sys, target)) === undefined) continue;
    await makeDirectories(sys, folder);
    await makeExecutable(sys, target);
    await linkOne(sys, { place: below(folder, command), target, isForced });
  }
}

async function linkOne(
  sys: Sys,
  {
    place,
    target,
    isForced,
  }: { readonly place: string; readonly target: string; readonly isForced: boolean },
): Promise<void> {
  const text = relativePath(parentOf(place), target);
  const existing = await findStat(sys, place, true);
  if (existing?.kind === "symlink") {
    const current = await sys.readlink(place);
    if (current === text) return;
    // A command of something else is not taken over, but for a link into the same node_modules.
    if (!isForced && !current.includes("node_modules") && !place.includes("/node_modules/.bin/"))
      throw existsFailure(place);
    await sys.unlink(place);
  } else if (existing !== undefined) {
    if (!isForced) throw existsFailure(place);
    await sys.unlink(place);
  }
  await sys.symlink(text, place);
}

function existsFailure(place: string): NpmFailure {
  return new NpmFailure(
    `EEXIST: file already exists\nFile exists: ${place}\nRemove the existing file and try again, or run npm\nwith --force to overwrite files recklessly.`,
    { code: "EEXIST", status: 239, facts: [`path ${place}`] },
  );
}

/** Software is the host's, and stays as it is. */
async function makeExecutable(sys: Sys, path: string): Promise<void> {
  try {
    const { mode } = await sys.stat(path);
    if ((mode & 0o111) !== 0o111) await sys.chmod(path, mode | 0o111);
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
}

/** Takes away links that lead into a package that is gone. */
export async function unlinkBins(sys: Sys, folder: string, path: string): Promise<void> {
  for (const name of await listNames(sys, folder)) {
    const place = below(folder, name);
    const stat = await findStat(sys, place, true);
    if (stat?.kind !== "symlink") continue;
    const target = resolveFrom(folder, await sys.readlink(place));
    if (isInside(target, path)) await sys.unlink(place);
  }
}

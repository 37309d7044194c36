// Copies a symbolic link within a tree that is copied.
import { isKernelError, type Sys } from "../../../../kernel/index.ts";
import { resolvePath } from "../../../programs/resolve-path.ts";
import { atPath, type CopyOptions, CopyStopped, statIfThere } from "./copy-steps.ts";

interface LinkPair {
  readonly from: string;
  readonly to: string;
  readonly folder: string;
}

/** The link itself as it is, or, unless that is wished, to where it leads as an absolute path. */
export async function copyLink(sys: Sys, pair: LinkPair, options: CopyOptions): Promise<void> {
  const { from, to, folder } = pair;
  const target = await atPath(folder, sys.readlink(from));
  if (options.verbatimSymlinks) return atPath(folder, sys.symlink(target, to));
  await makeRoom(sys, pair, target, options);
  const start = from.slice(0, from.lastIndexOf("/"));
  const full = target.startsWith("/") ? target : `${start}/${target}`;
  const absolute = await resolvePath(sys, full, "none");
  await atPath(folder, sys.symlink(absolute, to));
}

/** Removes a link that is in the way; refuses where it would cut a tree off from itself. */
async function makeRoom(
  sys: Sys,
  pair: LinkPair,
  target: string,
  options: CopyOptions,
): Promise<void> {
  const { to, folder } = pair;
  const there = await statIfThere(sys, to);
  if (there === undefined) return;
  const present = await linkAt(sys, to);
  if (present === undefined) {
    const isRefused = !options.dereference || (!options.force && options.errorOnExist);
    if (there.kind === "file" && isRefused) throw new CopyStopped(["errno", "EEXIST", to]);
    return;
  }
  const leadsTo = await statIfThere(sys, target);
  if (
    !options.dereference &&
    leadsTo?.kind === "directory" &&
    (await isInside(sys, target, present))
  ) {
    const words = `Cannot copy ${target} to a subdirectory of self ${present}`;
    throw new CopyStopped(["coded", "ERR_FS_CP_EINVAL", words]);
  }
  if (there.kind === "directory" && (await isInside(sys, present, target))) {
    const words = `cannot overwrite ${present} with ${target}`;
    throw new CopyStopped(["coded", "ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY", words]);
  }
  await atPath(folder, sys.unlink(to));
}

async function linkAt(sys: Sys, name: string): Promise<string | undefined> {
  try {
    return await sys.readlink(name);
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}

/** Whether `inner` is `outer` or lies in it, by their names alone. */
async function isInside(sys: Sys, outer: string, inner: string): Promise<boolean> {
  const cwd = await sys.getcwd();
  const parts = (name: string): string[] =>
    (name.startsWith("/") ? name : `${cwd}/${name}`).split("/").filter((part) => part !== "");
  const innerParts = parts(inner);
  return parts(outer).every((part, at) => part === innerParts[at]);
}

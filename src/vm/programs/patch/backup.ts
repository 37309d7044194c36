/** Files beside the one that is patched: its backup, and the directories it lies in. */
import {
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_TRUNC,
  O_WRONLY,
  type Sys,
} from "../../../kernel/index.ts";
import { baseName, readDirectory } from "../directory.ts";
import { findStat } from "../run-command.ts";
import type { PatchSettings } from "./settings.ts";

/** Keeps a file under its backup's name; one that is missing has an empty backup. */
export async function backUp(
  sys: Sys,
  path: string,
  { isNumbered, prefix, suffix }: PatchSettings["backup"],
): Promise<void> {
  const to = isNumbered ? await nextNumbered(sys, path) : `${prefix}${path}${suffix}`;
  await makeParents(sys, to);
  const stat = await findStat(sys, path, true);
  if (stat === undefined) {
    await sys.close(await sys.open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666));
    return;
  }
  await sys.rename(path, to);
}

async function nextNumbered(sys: Sys, path: string): Promise<string> {
  const slash = path.lastIndexOf("/");
  const entries = await readDirectory(sys, slash === -1 ? "." : path.slice(0, slash + 1));
  const start = `${baseName(path)}.~`;
  let most = 0;
  for (const { name } of entries) {
    const number = name.startsWith(start) ? /^(\d+)~$/.exec(name.slice(start.length)) : null;
    if (number !== null) most = Math.max(most, Number(number[1]));
  }
  return `${path}.~${most + 1}~`;
}

/** Makes the directories a file lies in. */
export async function makeParents(sys: Sys, path: string): Promise<void> {
  for (let slash = path.indexOf("/", 1); slash !== -1; slash = path.indexOf("/", slash + 1)) {
    try {
      await sys.mkdir(path.slice(0, slash), 0o777);
    } catch (error) {
      if (!isKernelError(error, "EEXIST")) throw error;
    }
  }
}

/** Removes a file, and the directories that are empty without it. */
export async function removeWithParents(sys: Sys, path: string): Promise<void> {
  try {
    await sys.unlink(path);
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1))
      await sys.rmdir(path.slice(0, slash));
  } catch (error) {
    if (!isKernelError(error)) throw error;
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(error.errno)) throw error;
  }
}

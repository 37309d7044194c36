import { isKernelError, type Stat, type Sys } from "../../kernel/index.ts";
import type { CopyOptions } from "./copy-options.ts";

/** Gives a copy the owner, mode and times its options keep. */
export async function keepAttributes(
  sys: Sys,
  to: string,
  stat: Stat,
  options: CopyOptions & { readonly isNewDirectory: boolean },
): Promise<void> {
  if (options.keepsOwner) await tryChown(sys, to, stat);
  if (options.keepsMode) await sys.chmod(to, stat.mode & 0o7777);
  else if (options.isNewDirectory) await sys.chmod(to, stat.mode & 0o777 & ~(await sys.umask()));
  if (options.keepsTimes) await sys.utimes(to, { atimeMs: stat.atimeMs, mtimeMs: stat.mtimeMs });
}

/** Only root may give files away; for others the copy is simply theirs. */
async function tryChown(sys: Sys, to: string, { uid, gid }: Stat): Promise<void> {
  try {
    await sys.chown(to, uid, gid);
  } catch (error) {
    if (!isKernelError(error, "EPERM")) throw error;
  }
}

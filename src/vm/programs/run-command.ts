/** Finding and becoming another program, for `env`, `sudo`, `xargs` and `find -exec`. */
import { isKernelError, type Stat, type Sys } from "../../kernel/index.ts";

/** The path a command's name leads to: itself with a slash, else along `path`. */
export async function findCommand(
  sys: Sys,
  name: string,
  path: string | undefined,
): Promise<string | undefined> {
  if (name.includes("/")) return name;
  for (const directory of (path ?? "/usr/local/bin:/usr/bin:/bin").split(":")) {
    const candidate = `${directory === "" ? "." : directory}/${name}`;
    const stat = await findStat(sys, candidate);
    if (stat?.kind === "file" && (stat.mode & 0o111) !== 0) return candidate;
  }
  return undefined;
}

export async function findStat(sys: Sys, path: string, isLink = false): Promise<Stat | undefined> {
  try {
    return await (isLink ? sys.lstat(path) : sys.stat(path));
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}

/** Starts a command, a file that is no executable as a shell script; with the descriptor `input` for its stdin. */
export async function spawnCommand(
  sys: Sys,
  path: string,
  argv: readonly string[],
  input?: number,
): Promise<number> {
  const fds = input === undefined ? [] : [{ fd: 0, from: input }];
  try {
    return await sys.spawn({ path, argv, fds });
  } catch (error) {
    if (!isKernelError(error, "ENOEXEC")) throw error;
    return sys.spawn({ path: "/bin/sh", argv: ["sh", path, ...argv.slice(1)], fds });
  }
}

/** Replaces this process by a command. Fails as exec(2) does. */
export async function execCommand(
  sys: Sys,
  path: string,
  argv: readonly string[],
  env: ReadonlyMap<string, string>,
): Promise<never> {
  try {
    return await sys.exec({ path, argv, env });
  } catch (error) {
    if (!isKernelError(error, "ENOEXEC")) throw error;
    return sys.exec({ path: "/bin/sh", argv: ["sh", path, ...argv.slice(1)], env });
  }
}

import { isKernelError, KernelError, type Sys } from "../../kernel/index.ts";

/** Linux's limit of links in one path, see path_resolution(7). */
const LINKS_MAX = 40;

/** A path without links, `.` and `..`; which of its parts must exist is the caller's to say. */
export async function resolvePath(
  sys: Sys,
  path: string,
  existing: "all" | "parents" | "none",
): Promise<string> {
  if (path === "") throw new KernelError("ENOENT", path);
  const start = path.startsWith("/") ? path : `${await sys.getcwd()}/${path}`;
  const rest = start.split("/").filter((name) => name !== "");
  let resolved = "";
  let links = 0;
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === ".") continue;
    if (name === "..") {
      resolved = resolved.slice(0, Math.max(0, resolved.lastIndexOf("/")));
      continue;
    }
    const candidate = `${resolved}/${name}`;
    const target = await findTarget(
      sys,
      candidate,
      existing === "none" || (existing === "parents" && rest.length === 0),
    );
    if (target === undefined) {
      resolved = candidate;
      continue;
    }
    links += 1;
    if (links > LINKS_MAX && existing !== "none") throw new KernelError("ELOOP", path);
    if (links > LINKS_MAX) {
      resolved = candidate;
      continue;
    }
    if (target.startsWith("/")) resolved = "";
    rest.unshift(...target.split("/").filter((part) => part !== ""));
  }
  return resolved === "" ? "/" : resolved;
}

/** Where a link leads; undefined for what is none. */
async function findTarget(
  sys: Sys,
  path: string,
  mayBeMissing: boolean,
): Promise<string | undefined> {
  try {
    const { kind } = await sys.lstat(path);
    return kind === "symlink" ? await sys.readlink(path) : undefined;
  } catch (error) {
    if (mayBeMissing && (isKernelError(error, "ENOENT") || isKernelError(error, "ENOTDIR")))
      return undefined;
    throw error;
  }
}

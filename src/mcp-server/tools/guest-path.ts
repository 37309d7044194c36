// Paths as MCP clients give them.
import { HostError } from "../../vm/host-error.ts";
import type { Actor } from "../../vm/index.ts";

/** Where commands start and what relative paths are relative to. */
const home = "/home/user";
/** Of each user of a VM, see image/. */
const homes: ReadonlyMap<string, string> = new Map([
  ["user", home],
  ["root", "/root"],
]);
/** Linux's PATH_MAX, without the NUL. */
const maxPathBytes = 4095;

/**
 * The absolute path a client means: `~` is the home of the user it acts as, `~name` that of another, as
 * in a shell. PATH_INVALID for what no kernel would take.
 */
export function guestPath(path: string, as: Actor): string {
  const problem = problemOf(path);
  if (problem === undefined) return path.startsWith("/") ? path : fromHome(path, as);
  const shown = path.length > 80 ? `${path.slice(0, 80)}…` : path;
  throw new HostError("PATH_INVALID", { path: JSON.stringify(shown), problem });
}

function fromHome(path: string, as: Actor): string {
  const [, name = "", rest = ""] = /^~([^/]*)(.*)$/s.exec(path) ?? [];
  const named = path.startsWith("~") ? homes.get(name === "" ? as : name) : undefined;
  return named === undefined ? `${home}/${path}` : `${named}${rest}`;
}

function problemOf(path: string): string | undefined {
  if (path === "") return "it is empty";
  if (path.includes("\0")) return "it holds a NUL byte";
  const bytes = Buffer.byteLength(path);
  if (bytes > maxPathBytes) return `it has ${bytes} bytes, the limit is ${maxPathBytes}`;
  return undefined;
}

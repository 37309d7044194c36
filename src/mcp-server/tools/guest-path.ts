// Paths as MCP clients give them.
import { HostError } from "../../vm/host-error.ts";

/** Where commands start and what relative paths are relative to. */
const home = "/home/user";
/** Linux's PATH_MAX, without the NUL. */
const maxPathBytes = 4095;

/** The absolute path a client means. PATH_INVALID for what no kernel would take. */
export function guestPath(path: string): string {
  const problem = problemOf(path);
  if (problem === undefined) return path.startsWith("/") ? path : `${home}/${path}`;
  const shown = path.length > 80 ? `${path.slice(0, 80)}…` : path;
  throw new HostError("PATH_INVALID", { path: JSON.stringify(shown), problem });
}

function problemOf(path: string): string | undefined {
  if (path === "") return "it is empty";
  if (path.includes("\0")) return "it holds a NUL byte";
  const bytes = Buffer.byteLength(path);
  if (bytes > maxPathBytes) return `it has ${bytes} bytes, the limit is ${maxPathBytes}`;
  return undefined;
}

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../package-root.ts";

/** Cells need what came with this version: node:ffi for their jail, V8's linear regular expressions. */
const OLDEST_MAJOR = 24;

/**
 * The Node that cells run on: the pinned one, whichever Node this process has; where none is
 * installed, this process's own if it is new enough. Rejects with what to do otherwise.
 */
export async function findCellNode(): Promise<string> {
  const finder = pathToFileURL(join(packageRoot(), "scripts", "find-pinned-node.mjs")).href;
  const { findPinnedNode }: { findPinnedNode: () => string | undefined } = await import(finder);
  const pinned = findPinnedNode();
  if (pinned !== undefined) return pinned;
  if (Number(process.versions.node.split(".")[0]) >= OLDEST_MAJOR) return process.execPath;
  throw new Error(
    `there is no pinned Node for ${process.platform}-${process.arch} in this installation, and Node ${process.versions.node} is too old`,
  );
}

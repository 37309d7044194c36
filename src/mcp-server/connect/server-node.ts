// Which Node the server runs on. Runs on Node 20 itself.

/** Our own code needs what came with it (see `engines` of the pinned packages' major, and node:sqlite). */
const oldestMajor = 24;

/** Nobody who runs our code can do anything about the features of Node it uses. */
export const quietFlags: readonly string[] = ["--disable-warning=ExperimentalWarning"];

/** A Node binary for the server, and what its user should know about it. */
export interface ServerNode {
  readonly path: string;
  readonly warning?: string;
}

/** No Node on this machine can run the server; the message says what to install. */
export class NoServerNodeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NoServerNodeError";
  }
}

/**
 * The pinned Node, or where none is installed the Node of this process if it is new enough. Throws
 * NoServerNodeError otherwise.
 */
export function chooseServerNode(
  pinned: string | undefined,
  own: { readonly path: string; readonly version: string } = {
    path: process.execPath,
    version: process.version,
  },
): ServerNode {
  if (pinned !== undefined) return { path: pinned };
  const platform = `${process.platform}-${process.arch}`;
  const major = Number(/^v?(\d+)\./.exec(own.version)?.[1]);
  if (major >= oldestMajor) {
    return {
      path: own.path,
      warning: `There is no pinned Node for ${platform} in this installation; the server runs on ${own.version}.`,
    };
  }
  throw new NoServerNodeError(
    `There is no pinned Node for ${platform} in this installation, and ${own.version} is too old to run the server. ` +
      `Install again with optional dependencies (npm install --include=optional), or use Node ${oldestMajor} or newer.`,
  );
}

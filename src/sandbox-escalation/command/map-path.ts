/** Where the sandbox's files are in every VM. */
export const MOUNT_POINT = "/sandbox";

/** What the workspace is called in every sandbox, wherever it is there. */
const WORKSPACE = "/workspace";

/** A path of the VM below the mount as the sandbox has it; undefined for one that is not shared. */
export function findInSandbox(path: string, workspace: string): string | undefined {
  return findBelow(MOUNT_POINT, path, workspace);
}

/** As findInSandbox, for a path that may be the sandbox's own as well. */
export function findThere(path: string, workspace: string): string | undefined {
  return findInSandbox(path, workspace) ?? findBelow(WORKSPACE, path, workspace);
}

function findBelow(top: string, path: string, workspace: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const plain = `/${parts.join("/")}`;
  if (plain === top) return workspace;
  if (!plain.startsWith(`${top}/`)) return undefined;
  return `${workspace}${plain.slice(top.length)}`;
}

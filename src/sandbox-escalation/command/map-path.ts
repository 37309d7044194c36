/** Where the sandbox's files are in every VM. */
export const MOUNT_POINT = "/sandbox";

/** What the workspace is called in every sandbox, wherever it is there; in VMs it is another name of the same. */
export const WORKSPACE = "/workspace";

/** A path of the VM, or of the sandbox, as the sandbox has it; undefined for one that is not shared. */
export function findThere(path: string, workspace: string): string | undefined {
  return findBelow(MOUNT_POINT, path, workspace) ?? findBelow(WORKSPACE, path, workspace);
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

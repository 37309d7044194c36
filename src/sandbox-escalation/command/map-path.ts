/** Where the sandbox's files are in every VM. */
export const MOUNT_POINT = "/sandbox";

/** A path of the VM below the mount as the sandbox has it; undefined for one that is not shared. */
export function findInSandbox(path: string, workspace: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const plain = `/${parts.join("/")}`;
  if (plain === MOUNT_POINT) return workspace;
  if (!plain.startsWith(`${MOUNT_POINT}/`)) return undefined;
  return `${workspace}${plain.slice(MOUNT_POINT.length)}`;
}

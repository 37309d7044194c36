import type { Kernel } from "../../kernel.ts";

/** /proc/mounts, see fstab(5): blanks in names are octal escapes. */
export function mountLines(kernel: Kernel): string {
  return kernel.vfs.mounts
    .list()
    .map(({ source, on, fileSystem, isReadOnly }) => {
      const path = on?.path ?? "/";
      return `${escapeBlanks(source)} ${escapeBlanks(path)} ${fileSystem.type} ${isReadOnly ? "ro" : "rw"} 0 0\n`;
    })
    .join("");
}

function escapeBlanks(text: string): string {
  return text.replace(
    /[ \t\n\\]/g,
    (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
}

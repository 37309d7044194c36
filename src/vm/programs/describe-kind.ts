import type { Stat } from "../../kernel/index.ts";

/** A kind of file as GNU words it. */
export function describeKind({ kind, size }: Stat): string {
  switch (kind) {
    case "file":
      return size === 0 ? "regular empty file" : "regular file";
    case "directory":
      return "directory";
    case "symlink":
      return "symbolic link";
    case "fifo":
      return "fifo";
    case "device":
      return "character special file";
    case "socket":
      return "socket";
    case "anonymous":
      return "weird file";
  }
}

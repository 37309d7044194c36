import { encodeText } from "../../../kernel/index.ts";

/** Linux's PATH_MAX and NAME_MAX; what is longer cannot be opened anywhere. */
const PATH_BYTES = 4095;
const NAME_BYTES = 255;

/** Whether a path leads into the workspace and nowhere else: no root, no `..`, nothing that is no name. */
export function isCarriedPath(path: string): boolean {
  if (path.includes("\0") || encodeText(path).length > PATH_BYTES) return false;
  return path
    .split("/")
    .every(
      (name) =>
        name !== "" && name !== "." && name !== ".." && encodeText(name).length <= NAME_BYTES,
    );
}

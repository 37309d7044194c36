import type { Sys, WindowSize } from "../../../kernel/index.ts";
import { findWindowSize } from "../is-terminal.ts";

/** The size of the window that one of the first fds is; undefined where none is a terminal. */
export async function findTerminalSize(sys: Sys): Promise<WindowSize | undefined> {
  for (const fd of [1, 2, 0]) {
    const size = await findWindowSize(sys, fd);
    if (size !== undefined) return size;
  }
  return undefined;
}

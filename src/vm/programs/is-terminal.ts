import { isKernelError, type Sys, type WindowSize } from "../../kernel/index.ts";

/** The window of the terminal a fd is; undefined where it is none. */
export async function findWindowSize(sys: Sys, fd: number): Promise<WindowSize | undefined> {
  try {
    const size = await sys.ioctl(fd, { request: "TIOCGWINSZ" });
    return typeof size === "object" && "cols" in size ? size : undefined;
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}

export async function isTerminal(sys: Sys, fd: number): Promise<boolean> {
  return (await findWindowSize(sys, fd)) !== undefined;
}

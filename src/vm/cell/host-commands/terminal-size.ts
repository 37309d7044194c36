import { isKernelError, type Sys } from "../../../kernel/index.ts";
import type { WireSize } from "../../wire/broker-methods.ts";

/** For a terminal that nobody has given a size. */
const USUAL = { columns: 80, rows: 24 };

/** The size of the terminal that stdin, stdout and stderr are; undefined unless they are one. */
export async function findTerminal(sys: Sys): Promise<WireSize | undefined> {
  try {
    const size = await sizeOf(sys);
    if (size === undefined) return undefined;
    const { rdev } = await sys.fstat(0);
    for (const fd of [1, 2]) {
      const other = await sys.fstat(fd);
      if (other.kind !== "device" || other.rdev !== rdev) return undefined;
    }
    return size;
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}

/** The size of the terminal at fd 0; undefined where there is none. */
export async function sizeOf(sys: Sys): Promise<WireSize | undefined> {
  try {
    const size = await sys.ioctl(0, { request: "TIOCGWINSZ" });
    if (typeof size !== "object" || !("cols" in size)) return undefined;
    return { columns: size.cols || USUAL.columns, rows: size.rows || USUAL.rows };
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}

import { closeSync, constants, existsSync, fstatSync, openSync } from "node:fs";
import { lookAt, lookThrough } from "./look-by-node.ts";
import {
  type FileFacts,
  factsOf,
  type HeldFile,
  kindOf,
  nameBytes,
  type Reach,
  requireContent,
  type TellFile,
} from "./reach.ts";

const OWN_FDS = "/proc/self/fd";
/** Linux's O_PATH (asm-generic/fcntl.h), which Node does not name. */
const O_PATH = 0o10000000;
const { O_NOFOLLOW, O_DIRECTORY, O_NONBLOCK, O_NOCTTY } = constants;
/** Stands for a file, a link as a link. */
export const O_HOLD = O_PATH | O_NOFOLLOW;
/** Opens a file with content, and nothing happens. */
export const CAREFUL = O_NONBLOCK | O_NOCTTY;

/** Whether this host has what ReachByFd needs. */
export function canReachByFd(): boolean {
  return process.platform === "linux" && existsSync(OWN_FDS);
}

/**
 * Reaches files by an open descriptor of a directory and one name in it, through Linux's /proc/self/fd: there is
 * no path that somebody could bend, whoever renames what at the same time. Descriptors are of the kind O_PATH:
 * they stand for a file, and opening them does nothing to it.
 */
export class ReachByFd implements Reach {
  holdRoot(path: string): HeldFile {
    return holding(openSync(path, O_PATH | O_DIRECTORY));
  }

  hold(directory: number, name: string): HeldFile {
    return holding(openSync(this.inside(directory, name), O_HOLD));
  }

  holdOpen(fd: number): HeldFile {
    return holding(openSync(this.itself(fd), O_PATH));
  }

  close(held: number): void {
    closeSync(held);
  }

  stat(held: number): FileFacts {
    return factsOf(fstatSync(held, { bigint: true }));
  }

  /** The system follows it to the held file and no further. */
  itself(held: number): string {
    return `${OWN_FDS}/${held}`;
  }

  inside(directory: number, name: string): Buffer {
    return Buffer.concat([Buffer.from(`${OWN_FDS}/${directory}/`), nameBytes(name)]);
  }

  lookThrough(directory: number, most: number, tell: TellFile): boolean {
    return lookThrough(this.itself(directory), most, tell);
  }

  lookAt(directory: number, name: Buffer, tell: TellFile): void {
    lookAt(this.itself(directory), name, tell);
  }

  withContent<T>(held: number, flags: number, use: (fd: number) => T): T {
    requireContent(kindOf(fstatSync(held).mode));
    const fd = openSync(this.itself(held), flags | CAREFUL);
    try {
      return use(fd);
    } finally {
      closeSync(fd);
    }
  }
}

function holding(fd: number): HeldFile {
  try {
    return { fd, facts: factsOf(fstatSync(fd, { bigint: true })) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

import { KernelError } from "../abi/kernel-error.ts";
import { O_ACCMODE, O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } from "../abi/open-flags.ts";
import type { OpenFile } from "../fd/open-file.ts";
import type { Waiter } from "../fd/wait-queue.ts";
import type { Limits } from "../limits/limits.ts";
import type { Inode } from "../vfs/file-system.ts";
import type { Place } from "../vfs/place.ts";
import { PIPE_CAPACITY_BYTES, Pipe } from "./pipe.ts";
import { PipeEnd } from "./pipe-end.ts";

/**
 * The pipes behind the FIFOs that are open, by inode. A FIFO has a pipe from its first opening to
 * its last release; what nobody has read by then is lost, see fifo(7).
 */
export class FifoTable {
  readonly #pipes = new Map<Inode, Pipe>();
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Opens a FIFO: waits for a writer when reading, for a reader when writing. With O_NONBLOCK a
   * reader does not wait and a writer without a reader fails with ENXIO; O_RDWR never waits.
   * Fails with the errno of maxPipes. The file holds the inode until it is released.
   */
  async open(place: Place, flags: number, waiter: Waiter): Promise<OpenFile> {
    const { inode } = place;
    const access = flags & O_ACCMODE;
    const isNonBlocking = (flags & O_NONBLOCK) !== 0;
    const readers = this.#pipes.get(inode)?.readers ?? 0;
    if (access === O_WRONLY && isNonBlocking && readers === 0) {
      throw new KernelError("ENXIO", place.path);
    }
    const pipe = this.#pipeOf(inode);
    const end = this.#makeEnd(pipe, place, flags);
    if (isNonBlocking || access === O_RDWR) return end;
    try {
      if (access === O_RDONLY) await meetWriter(pipe, waiter);
      else await meetReader(pipe, waiter);
      return end;
    } catch (error) {
      end.retain();
      end.drop();
      throw error;
    }
  }

  /** How many FIFOs are open. */
  get size(): number {
    return this.#pipes.size;
  }

  #pipeOf(inode: Inode): Pipe {
    const known = this.#pipes.get(inode);
    if (known !== undefined) return known;
    const pipe = new Pipe(this.#limits, PIPE_CAPACITY_BYTES);
    this.#pipes.set(inode, pipe);
    return pipe;
  }

  #makeEnd(pipe: Pipe, place: Place, flags: number): PipeEnd {
    const { inode, mount } = place;
    mount.fileSystem.retain(inode);
    return new PipeEnd(pipe, flags, {
      place,
      describe: () => place.path,
      stat: async () => ({ ...(await mount.fileSystem.stat(inode)), dev: mount.dev }),
      released: () => {
        if (pipe.isUnused) this.#pipes.delete(inode);
        mount.fileSystem.release(inode);
      },
    });
  }
}

/** A partner that has come and gone meanwhile counts as well, as on Linux. */
async function meetWriter(pipe: Pipe, waiter: Waiter): Promise<void> {
  if (pipe.writers > 0) return;
  const before = pipe.writersEver;
  while (pipe.writersEver === before) await waiter.wait(pipe.readable);
}

async function meetReader(pipe: Pipe, waiter: Waiter): Promise<void> {
  if (pipe.readers > 0) return;
  const before = pipe.readersEver;
  while (pipe.readersEver === before) await waiter.wait(pipe.writable);
}

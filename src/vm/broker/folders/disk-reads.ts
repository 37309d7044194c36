/** How files of a host folder are looked at, in the disk's thread. Fails with Node's errors and with KernelError. */
import { accessSync, constants, readlinkSync, readSync, statfsSync } from "node:fs";
import {
  type Contents,
  decodeText,
  type FileKind,
  KernelError,
  type StatFs,
} from "../../../kernel/index.ts";
import type { HeldName } from "./disk-changes.ts";
import { codeOf, type FileFacts, type HeldFile, type Reach } from "./reach.ts";
import { atWay, type FilesAt, type Step } from "./way.ts";

const { O_RDONLY, R_OK, X_OK } = constants;

/** A file that was found, with all of its content where that was wanted and is not large. */
export interface FoundFile extends HeldFile {
  readonly content: Uint8Array | undefined;
}

/** A file by its name, and which file that must be. */
export interface NamedFile extends HeldName {
  readonly identity: string;
}

interface ContentsRequest {
  readonly groups: readonly FilesAt[];
  readonly limitBytes: number;
  readonly totalBytes: number;
}

export class DiskReads {
  readonly #reach: Reach;
  /** Where contents come together, the same memory each time. */
  #gathered = new Uint8Array(0);

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  /** ENOENT, ENOTDIR; EACCES for a directory that cannot be listed. */
  openRoot({ path }: { readonly path: string }): HeldFile {
    const held = this.#reach.holdRoot(path);
    try {
      accessSync(this.#reach.itself(held.fd), R_OK | X_OK);
      return held;
    } catch (error) {
      this.#reach.close(held.fd);
      throw error;
    }
  }

  /** Undefined where there is nothing. `contentBytes`: the most that its content may be to come with it. */
  find(at: HeldName & { readonly contentBytes: number }): FoundFile | undefined {
    try {
      const held = this.#reach.hold(at.directory, at.name);
      return { ...held, content: this.#contentOf(held, at.contentBytes) };
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  close({ fd }: { readonly fd: number }): void {
    this.#reach.close(fd);
  }

  stat({ fd }: { readonly fd: number }): FileFacts {
    return this.#reach.stat(fd);
  }

  /** Where a link leads: by its name, since no call of Node's takes a link that is held. */
  readLink(at: NamedFile): string {
    const { fd, facts } = this.#reach.hold(at.directory, at.name);
    this.#reach.close(fd);
    if (facts.identity !== at.identity) throw new KernelError("ENOENT");
    const path = this.#reach.inside(at.directory, at.name);
    return decodeText(readlinkSync(path, { encoding: "buffer" }));
  }

  read(request: {
    readonly fd: number;
    readonly offset: number;
    readonly length: number;
  }): Uint8Array {
    const { size } = this.#reach.stat(request.fd);
    const bytes = new Uint8Array(Math.max(0, Math.min(request.length, size - request.offset)));
    const count = this.readInto(bytes, request);
    return count === bytes.length ? bytes : bytes.slice(0, count);
  }

  /** As `read`, into memory that both threads see: answers how much. */
  readInto(
    into: Uint8Array,
    request: { readonly fd: number; readonly offset: number; readonly kind?: FileKind },
  ): number {
    const read = (fd: number): number => {
      let done = 0;
      while (done < into.length) {
        const count = readSync(fd, into, done, into.length - done, request.offset + done);
        if (count === 0) break;
        done += count;
      }
      return done;
    };
    return this.#reach.withContent(request.fd, O_RDONLY, read, request.kind);
  }

  /** The whole content of each, one after the other; nothing for a file that is another by now, is too large, or cannot be read. */
  contents({ groups, limitBytes, totalBytes }: ContentsRequest): Contents {
    if (this.#gathered.length < totalBytes) this.#gathered = new Uint8Array(totalBytes);
    let count = 0;
    const read = (directory: number, file: Step): number => {
      const room = Math.min(limitBytes, totalBytes - count);
      const length = this.#readNamed(directory, file, this.#gathered.subarray(count, count + room));
      count += Math.max(length, 0);
      return length;
    };
    const lengths = groups.flatMap(
      ({ way, files }) =>
        atWay(this.#reach, way, (directory) => files.map((file) => read(directory, file))) ??
        files.map(() => -1),
    );
    return { lengths, bytes: this.#gathered.slice(0, count) };
  }

  statFs({ fd }: { readonly fd: number }): Omit<StatFs, "type"> {
    const { bsize, blocks, bavail, files, ffree } = statfsSync(this.#reach.itself(fd));
    return {
      blockSize: bsize,
      totalBytes: blocks * bsize,
      freeBytes: bavail * bsize,
      totalInodes: files,
      freeInodes: ffree,
    };
  }

  /** All of a file; -1 where it is another by now, does not fit or cannot be read. */
  #readNamed(directory: number, file: Step, into: Uint8Array): number {
    const read = (fd: number, facts = this.#reach.stat(fd)): number => {
      const { kind, size } = facts;
      if (kind !== "file" || size > into.length || size === 0) return -1;
      return this.readInto(into.subarray(0, size), { fd, offset: 0, kind }) === size ? size : -1;
    };
    return atWay(this.#reach, { held: directory, steps: [file] }, read) ?? -1;
  }

  /** Undefined where it is too large, is no file with content, or cannot be read: whoever reads it is told. */
  #contentOf({ fd, facts }: HeldFile, limitBytes: number): Uint8Array | undefined {
    const { kind, size } = facts;
    if (kind !== "file" || size === 0 || size > limitBytes) return undefined;
    try {
      const bytes = new Uint8Array(size);
      return this.readInto(bytes, { fd, offset: 0 }) === size ? bytes : undefined;
    } catch (error) {
      if (error instanceof KernelError || codeOf(error) !== "") return undefined;
      throw error;
    }
  }
}

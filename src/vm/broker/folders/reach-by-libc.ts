import { decodeText, type FileKind } from "../../../kernel/index.ts";
import { LibcError } from "../../confinement/libc.ts";
import type { LinuxFiles } from "./linux-files.ts";
import {
  type FileFacts,
  type HeldFile,
  nameBytes,
  requireContent,
  type TellFile,
} from "./reach.ts";
import { CAREFUL, O_HOLD, ReachByFd } from "./reach-by-fd.ts";

/** As ReachByFd, by Linux's own calls: for those who look at many files. */
export class ReachByLibc extends ReachByFd {
  readonly #files: LinuxFiles;

  constructor(files: LinuxFiles) {
    super();
    this.#files = files;
  }

  override hold(directory: number, name: string): HeldFile {
    const fd = this.#files.open(directory, nameBytes(name), O_HOLD);
    try {
      return { fd, facts: this.#files.stat(fd) };
    } catch (error) {
      this.#files.close(fd);
      throw error;
    }
  }

  override close(held: number): void {
    this.#files.close(held);
  }

  override stat(held: number): FileFacts {
    return this.#files.stat(held);
  }

  override lookThrough(directory: number, most: number, tell: TellFile): boolean {
    const names = this.#files.names(directory, most);
    for (const { name, place } of names ?? []) this.#tellOf(directory, name, place, tell);
    return names !== undefined;
  }

  override lookAt(directory: number, name: Buffer, tell: TellFile): void {
    this.#tellOf(directory, decodeText(name), this.#files.place(name), tell);
  }

  override withContent<T>(
    held: number,
    flags: number,
    use: (fd: number) => T,
    kind: FileKind = this.#files.stat(held).kind,
  ): T {
    requireContent(kind);
    const fd = this.#files.open(held, Buffer.from(this.itself(held)), flags | CAREFUL);
    try {
      return use(fd);
    } finally {
      this.#files.close(fd);
    }
  }

  #tellOf(directory: number, name: string, place: bigint, tell: TellFile): void {
    try {
      const facts = this.#files.statAt(directory, place);
      const isLink = facts.kind === "symlink";
      tell(name, facts, isLink ? this.#files.readLinkAt(directory, place) : undefined);
    } catch (error) {
      if (!(error instanceof LibcError)) throw error;
      if (error.code !== "ENOENT" && error.code !== "EINVAL") throw error;
    }
  }
}

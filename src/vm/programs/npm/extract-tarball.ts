/** A package's tarball: its files into a folder, its checksum, its limits. */
import {
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_EXCL,
  O_RDONLY,
  O_WRONLY,
  type Sys,
} from "../../../kernel/index.ts";
import { ByteReader, readStream } from "../archive/byte-reader.ts";
import { FormatError, gunzip, isGzip } from "../archive/gzip-format.ts";
import { Sha512 } from "../digest/sha512.ts";
import { writeAll } from "../output.ts";
import { ArchiveError, MemberReader } from "../tar/read-members.ts";
import { encodeBase64 } from "./base64.ts";
import { fileFailure, NpmFailure } from "./failure.ts";
import { makeDirectories } from "./files.ts";
import { parentOf } from "./paths.ts";

/** What a hostile tarball may grow to; the VM's own limits are met before it in most. */
const SIZE_LIMIT_BYTES = 2 ** 30;
const FILE_LIMIT = 100_000;

/** Extracts into a folder, which is made. Answers its integrity. Fails with an NpmFailure. */
export async function extractTarball(sys: Sys, path: string, folder: string): Promise<string> {
  let fd: number;
  try {
    fd = await sys.open(path, O_RDONLY | O_CLOEXEC);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw fileFailure(error.errno, "open", path);
  }
  try {
    return await new Extraction(sys, fd, folder).run();
  } catch (error) {
    if (!(error instanceof ArchiveError) && !(error instanceof FormatError)) throw error;
    throw new NpmFailure(`${path}: ${error.message || "This does not look like a tar archive"}`, {
      code: "TAR_BAD_ARCHIVE",
    });
  } finally {
    await sys.close(fd);
  }
}

class Extraction {
  readonly #sys: Sys;
  readonly #fd: number;
  readonly #folder: string;
  readonly #digest = new Sha512(512);
  readonly #made = new Set<string>();
  #files = 0;
  #bytes = 0;

  constructor(sys: Sys, fd: number, folder: string) {
    this.#sys = sys;
    this.#fd = fd;
    this.#folder = folder;
  }

  async run(): Promise<string> {
    await makeDirectories(this.#sys, this.#folder);
    const raw = new ByteReader(this.#digested());
    const isPacked = isGzip(await raw.peek(2));
    const stream = isPacked ? gunzip(raw.rest()) : raw.rest();
    const members = new MemberReader(new ByteReader(stream), async (message) => {
      throw new ArchiveError(message);
    });
    for (let next = await members.next(); next !== undefined; next = await members.next()) {
      const { member } = next;
      const name = innerName(member.name);
      // Links in tarballs are left out, as npm does; so is what would lie outside the package.
      if (member.type !== "0" || name === undefined) continue;
      await this.#write(name, member.mode, members.data());
    }
    for await (const _ of stream) await this.#sys.schedYield();
    for await (const _ of raw.rest()) await this.#sys.schedYield();
    if (this.#files === 0) throw new ArchiveError("");
    return `sha512-${encodeBase64(this.#digest.finish())}`;
  }

  async *#digested(): AsyncGenerator<Uint8Array, void, void> {
    for await (const piece of readStream(this.#sys, this.#fd)) {
      this.#digest.update(piece);
      yield piece;
    }
  }

  async #write(name: string, mode: number, data: AsyncIterable<Uint8Array>): Promise<void> {
    this.#files += 1;
    if (this.#files > FILE_LIMIT) throw new ArchiveError(`more than ${FILE_LIMIT} files`);
    const path = `${this.#folder}/${name}`;
    const parent = parentOf(path);
    if (!this.#made.has(parent)) await makeDirectories(this.#sys, parent);
    this.#made.add(parent);
    const fd = await this.#open(path, mode);
    try {
      for await (const piece of data) {
        this.#bytes += piece.length;
        if (this.#bytes > SIZE_LIMIT_BYTES) throw new ArchiveError("too large");
        await writeAll(this.#sys, fd, piece);
      }
    } finally {
      await this.#sys.close(fd);
    }
  }

  /** A name that comes twice is the later one's. Modes are npm's: readable, and run where it was to be. */
  async #open(path: string, mode: number): Promise<number> {
    const allowed = ((mode & 0o777) | 0o666) & ~0o022;
    try {
      return await this.#sys.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, allowed);
    } catch (error) {
      if (!isKernelError(error, "EEXIST")) throw error;
      await this.#sys.unlink(path);
      return this.#sys.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, allowed);
    }
  }
}

/** Without the first folder, whatever its name; undefined for what is no file of the package. */
function innerName(name: string): string | undefined {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.length < 2 || parts.includes("..") || name.includes("\0")) return undefined;
  return parts.slice(1).join("/");
}

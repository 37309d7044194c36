/** Files as members of an archive: a stream of its bytes. */
import { isKernelError, O_CLOEXEC, O_RDONLY, type Stat } from "../../../kernel/index.ts";
import { compareNames, joinPath, readDirectory } from "../directory.ts";
import { NameDatabase } from "../name-database.ts";
import { errorWords, type Run } from "../program.ts";
import { unsafePrefix } from "./member-names.ts";
import { ArchiveError } from "./read-members.ts";
import type { TarSettings } from "./settings.ts";
import { BLOCK_BYTES, formatProblem, type Member, makeHeader, roundUp } from "./tar-header.ts";
import type { TarReport } from "./tar-report.ts";

/** An archive is written in records of 20 blocks. */
/** What archives are filled up to. */
export const RECORD_BYTES = 20 * BLOCK_BYTES;
const CHUNK_BYTES = 65_536;

export interface CreateRequest {
  readonly run: Run;
  readonly settings: TarSettings;
  readonly report: TarReport;
  /** The archive's own file, which is not stored in itself. */
  readonly archive: Stat;
  /** Bytes of the archive before what is added. */
  readonly start: number;
  /** Times of members that are there already, for `-u`. */
  readonly known?: ReadonlyMap<string, number>;
}

export class ArchiveMaker {
  readonly #run: Run;
  readonly #settings: TarSettings;
  readonly #report: TarReport;
  readonly #archive: Stat;
  readonly #known: ReadonlyMap<string, number>;
  readonly #names: NameDatabase;
  /** Stored names of files with several names. */
  readonly #links = new Map<string, string>();
  #written: number;

  constructor({ run, settings, report, archive, start, known }: CreateRequest) {
    this.#run = run;
    this.#settings = settings;
    this.#report = report;
    this.#archive = archive;
    this.#known = known ?? new Map();
    this.#names = new NameDatabase(run.sys);
    this.#written = start;
  }

  get written(): number {
    return this.#written;
  }

  /** All blocks, to the end's zeros. */
  async *blocks(): AsyncGenerator<Uint8Array, void, void> {
    for (const { directory, name } of this.#settings.steps) {
      if (directory !== undefined) await this.#enter(directory);
      else if (name !== undefined) yield* this.#counted(this.#add(name, true));
    }
    yield* this.#counted(this.#endOfArchive());
  }

  async *#counted(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    for await (const piece of pieces) {
      this.#written += piece.length;
      yield piece;
    }
  }

  async #enter(directory: string): Promise<void> {
    try {
      await this.#run.sys.chdir(directory);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new ArchiveError(`${directory}: Cannot open: ${errorWords(error)}`);
    }
  }

  async *#endOfArchive(): AsyncGenerator<Uint8Array, void, void> {
    const end = this.#written + 2 * BLOCK_BYTES;
    const record = this.#settings.recordBytes;
    const whole = Math.ceil(end / record) * record;
    yield new Uint8Array(whole - this.#written);
  }

  async *#add(path: string, isOperand: boolean): AsyncGenerator<Uint8Array, void, void> {
    const { settings, stat } = { settings: this.#settings, stat: await this.#stat(path) };
    if (stat === undefined) return;
    const bare = path.replace(/(.)\/+$/s, "$1");
    if (settings.isExcluded(bare) && !(isOperand && bare === ".")) return;
    if (stat.kind === "socket") {
      await this.#report.warn(`${path}: socket ignored`);
      return;
    }
    if (stat.dev === this.#archive.dev && stat.ino === this.#archive.ino && stat.kind === "file") {
      await this.#report.warn(`${path}: file is the archive; not dumped`);
      return;
    }
    if (stat.kind === "directory") yield* this.#addDirectory(bare, stat);
    else if (!this.#isKnown(bare, stat)) yield* this.#addFile(bare, stat);
  }

  #isKnown(path: string, stat: Stat): boolean {
    const known = this.#known.get(path);
    return known !== undefined && known >= Math.floor(stat.mtimeMs / 1000) * 1000;
  }

  async #stat(path: string): Promise<Stat | undefined> {
    const { sys } = this.#run;
    try {
      return await (this.#run.has("dereference") ? sys.stat(path) : sys.lstat(path));
    } catch (error) {
      if (!isKernelError(error)) throw error;
      const prefix = this.#settings.isAbsolute ? "" : unsafePrefix(path);
      if (prefix !== "") await this.#report.removing(prefix, "member names");
      await this.#report.fail(`${path}: Cannot stat: ${errorWords(error)}`);
      return undefined;
    }
  }

  async *#addDirectory(path: string, stat: Stat): AsyncGenerator<Uint8Array, void, void> {
    if (!this.#isKnown(path, stat)) {
      const member = await this.#member(`${path === "/" ? "" : path}/`, stat, "5");
      if (await this.#refuses(member)) return;
      yield* this.#header(member, `${path}/`);
    }
    if (!this.#settings.isRecursive) return;
    let names: string[];
    try {
      names = (await readDirectory(this.#run.sys, path)).map(({ name }) => name);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#report.fail(`${path}: Cannot open: ${errorWords(error)}`);
      return;
    }
    if (this.#settings.isSorted) names.sort(compareNames);
    for (const name of names) yield* this.#add(joinPath(path, name), false);
    if (this.#run.has("remove-files")) await this.#run.sys.rmdir(path);
  }

  async *#addFile(path: string, stat: Stat): AsyncGenerator<Uint8Array, void, void> {
    const key = `${stat.dev}:${stat.ino}`;
    const linked =
      stat.nlink > 1 && !this.#run.has("hard-dereference") ? this.#links.get(key) : undefined;
    if (linked !== undefined) {
      const member = await this.#member(path, { ...stat, size: 0 }, "1");
      yield* this.#header({ ...member, linkName: linked }, path);
    } else if (stat.kind === "file") yield* this.#addContent(path, stat);
    else {
      const type = stat.kind === "symlink" ? "2" : stat.kind === "fifo" ? "6" : "3";
      const target = type === "2" ? await this.#run.sys.readlink(path) : "";
      const member = await this.#member(path, { ...stat, size: 0 }, type);
      const linkName = this.#settings.change(target, "link");
      yield* this.#header({ ...member, linkName }, path);
    }
    if (this.#run.has("remove-files")) await this.#run.sys.unlink(path);
  }

  async *#addContent(path: string, stat: Stat): AsyncGenerator<Uint8Array, void, void> {
    const { sys } = this.#run;
    let fd: number;
    try {
      fd = await sys.open(path, O_RDONLY | O_CLOEXEC);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#report.fail(`${path}: Cannot open: ${errorWords(error)}`);
      return;
    }
    try {
      const member = await this.#member(path, stat, "0");
      if (stat.nlink > 1) this.#links.set(`${stat.dev}:${stat.ino}`, member.name);
      if (await this.#refuses(member)) return;
      yield* this.#header(member, path);
      yield* this.#content(fd, path, stat.size);
    } finally {
      await sys.close(fd);
    }
  }

  async *#content(fd: number, path: string, size: number): AsyncGenerator<Uint8Array, void, void> {
    let left = size;
    while (left > 0) {
      const buffer = new Uint8Array(Math.min(CHUNK_BYTES, left));
      const count = await this.#run.sys.read(fd, buffer);
      if (count === 0) break;
      left -= count;
      yield buffer.subarray(0, count);
    }
    if (left > 0)
      await this.#report.warn(`${path}: File shrank by ${left} bytes; padding with zeros`);
    for (; left > 0; left -= Math.min(left, CHUNK_BYTES))
      yield new Uint8Array(Math.min(left, CHUNK_BYTES));
    if (roundUp(size) > size) yield new Uint8Array(roundUp(size) - size);
  }

  /** Says why the format has no place for a member. */
  async #refuses(member: Member): Promise<boolean> {
    const problem = formatProblem(member, this.#settings.format);
    if (problem !== undefined) await this.#report.fail(`${member.name}: ${problem}`);
    return problem !== undefined;
  }

  *#header(member: Member, path: string): Generator<Uint8Array, void, void> {
    this.#report.list(member, this.#settings.showsChanged ? member.name : path);
    yield* makeHeader(member, this.#settings.format);
  }

  async #member(path: string, stat: Stat, type: string): Promise<Member> {
    const { settings } = { settings: this.#settings };
    const isNumeric = this.#run.has("numeric-owner");
    const changed = settings.change(path, "member");
    const uid = settings.owner?.id ?? stat.uid;
    const gid = settings.group?.id ?? stat.gid;
    return {
      name: await this.#safeName(changed, stat),
      type,
      mode: settings.changeMode(stat.mode & 0o7777, type === "5"),
      uid,
      gid,
      size: type === "0" ? stat.size : 0,
      mtimeMs: settings.mtimeMs ?? stat.mtimeMs,
      linkName: "",
      userName: isNumeric
        ? ""
        : (settings.owner?.name ?? (await this.#names.findUser(uid))?.name ?? ""),
      groupName: isNumeric
        ? ""
        : (settings.group?.name ?? (await this.#names.findGroup(gid))?.name ?? ""),
      device: { major: stat.rdev >> 8, minor: stat.rdev & 255 },
    };
  }

  async #safeName(name: string, stat: Stat): Promise<string> {
    if (this.#settings.isAbsolute) return name;
    const prefix = unsafePrefix(name);
    if (prefix === "") return name;
    await this.#report.removing(prefix, "member names");
    if (stat.nlink > 1 && stat.kind === "file")
      await this.#report.removing(prefix, "hard link targets");
    const rest = name.slice(prefix.length);
    return rest === "" ? (stat.kind === "directory" ? "./" : ".") : rest;
  }
}

/** Members of a zip file to files, to fd 1, or to nothing. */
import {
  decodeText,
  encodeText,
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_EXCL,
  O_WRONLY,
} from "../../../kernel/index.ts";
import { FormatError } from "../archive/gzip-format.ts";
import { crc32 } from "../archive/zlib-engine.ts";
import { baseName } from "../directory.ts";
import { writeAll } from "../output.ts";
import { errorWords, type Run } from "../program.ts";
import { findStat } from "../run-command.ts";
import { showZipName } from "./list-zip.ts";
import type { ZipFile } from "./read-zip.ts";
import { DEFLATED, type ZipEntry } from "./zip-entry.ts";

const WARNING = 1;
const ERROR = 2;
const DISK_FULL = 50;
const UNSUPPORTED = 81;
/** A link's target is a path. */
const TARGET_BYTES = 4096;

export class ZipExtraction {
  readonly #run: Run;
  readonly #zip: ZipFile;
  readonly #path: string;
  readonly #quiet: number;
  /** Made when everything else is, so that nothing is written through them. */
  readonly #links: { readonly path: string; readonly target: string }[] = [];
  readonly #directories: { readonly path: string; readonly entry: ZipEntry }[] = [];
  #status = 0;
  #overwrites: "ask" | "all" | "none";

  constructor(run: Run, zip: ZipFile, path: string) {
    this.#run = run;
    this.#zip = zip;
    this.#path = path;
    this.#quiet = run.options.all("q").length;
    this.#overwrites = run.has("o") ? "all" : run.has("n") ? "none" : "ask";
  }

  /** Answers the status. */
  async run(entries: readonly ZipEntry[]): Promise<number> {
    if (entries.length > 0 && !(await this.#makeTarget())) return this.#status;
    for (const entry of entries) {
      await this.#guard(entry);
      if (this.#run.out.isFull) await this.#run.out.flush();
    }
    await this.#finishLinks();
    for (const { path, entry } of this.#directories.toReversed())
      await this.#attempt(path, async () => {
        await this.#run.sys.chmod(path, entry.mode & 0o777);
        await this.#run.sys.utimes(path, { atimeMs: entry.mtimeMs, mtimeMs: entry.mtimeMs });
      });
    if (this.#run.has("t") && this.#quiet < 2) this.#run.out.addText(this.#verdict(entries.length));
    return this.#status;
  }

  #verdict(count: number): string {
    if (this.#status >= ERROR) return `At least one error was detected in ${this.#path}.\n`;
    return count === this.#zip.entries.length && this.#run.operands.length === 1
      ? `No errors detected in compressed data of ${this.#path}.\n`
      : `No errors detected in ${this.#path} for the ${count} file${count === 1 ? "" : "s"} tested.\n`;
  }

  /** Makes the directory of `-d`, which must have one to lie in. */
  async #makeTarget(): Promise<boolean> {
    const directory = this.#run.options.get("d");
    const isWriting = !["t", "p", "c"].some((option) => this.#run.has(option));
    if (directory === undefined || !isWriting) return true;
    try {
      await this.#run.sys.mkdir(directory, 0o777);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if (error.errno === "EEXIST") return true;
      const text = `checkdir:  cannot create extraction directory: ${directory}\n           ${errorWords(error)}\n`;
      await this.#sayError(text, ERROR);
      return false;
    }
    return true;
  }

  #say(text: string): void {
    if (this.#quiet === 0) this.#run.out.addText(text);
  }

  async #sayError(text: string, status: number): Promise<void> {
    this.#status = Math.max(this.#status, status);
    await this.#run.out.flush();
    await writeAll(this.#run.sys, 2, encodeText(text));
  }

  async #guard(entry: ZipEntry): Promise<void> {
    try {
      if ((entry.flags & 1) !== 0)
        return await this.#sayError(
          `   skipping: ${entry.name.padEnd(22)}  encrypted members are not supported\n`,
          UNSUPPORTED,
        );
      if (this.#run.has("t")) await this.#test(entry);
      else if (this.#run.has("p") || this.#run.has("c")) await this.#print(entry);
      else await this.#extract(entry);
    } catch (error) {
      if (error instanceof FormatError) {
        const what = error.message.startsWith("invalid")
          ? "invalid compressed data to inflate"
          : error.message;
        this.#run.out.addText(`\n  error:  ${what}\n`);
        this.#status = Math.max(this.#status, ERROR);
        return;
      }
      if (!isKernelError(error)) throw error;
      const status = error.errno === "ENOSPC" ? DISK_FULL : ERROR;
      await this.#sayError(
        `error:  cannot create ${entry.name}\n        ${errorWords(error)}\n`,
        status,
      );
    }
  }

  async #test(entry: ZipEntry): Promise<void> {
    this.#say(`    testing: ${showZipName(entry.name).padEnd(22)}  `);
    await this.#copy(entry, async () => {});
    this.#say(" OK\n");
  }

  async #print(entry: ZipEntry): Promise<void> {
    const { out } = this.#run;
    if (entry.kind === "directory") return;
    const isNamed = this.#run.has("c");
    if (isNamed) this.#say(`${verbOf(entry)}: ${showZipName(entry.name).padEnd(22)}  \n`);
    await this.#copy(entry, async (piece) => out.write(piece));
    if (isNamed) this.#say("\n");
  }

  /** Hands the data on, and checks it. Fails with a FormatError. */
  async #copy(entry: ZipEntry, put: (piece: Uint8Array) => Promise<void>): Promise<void> {
    let crc = 0;
    for await (const piece of this.#zip.data(entry)) {
      crc = crc32(piece, crc);
      await put(piece);
    }
    if (crc !== entry.crc) {
      const [found, wanted] = [crc, entry.crc].map((one) => one.toString(16).padStart(8, "0"));
      await this.#sayError(` bad CRC ${found}  (should be ${wanted})\n`, ERROR);
    }
  }

  async #extract(entry: ZipEntry): Promise<void> {
    const { sys } = this.#run;
    const path = await this.#targetPath(entry);
    if (path === undefined) return;
    await this.#makeParents(path);
    if (entry.kind === "directory") {
      if ((await findStat(sys, path)) !== undefined) return;
      this.#say(`   creating: ${showZipName(path)}/\n`);
      await sys.mkdir(path, 0o777);
      this.#directories.push({ path, entry });
      return;
    }
    if (!(await this.#mayWrite(path, entry))) return;
    if (entry.kind === "symlink") return this.#link(path, entry);
    this.#say(`${verbOf(entry)}: ${showZipName(path).padEnd(22)}  `);
    const fd = await sys.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666);
    try {
      await this.#copy(entry, async (piece) => writeAll(sys, fd, piece));
    } finally {
      await sys.close(fd);
    }
    this.#say("\n");
    await sys.chmod(path, entry.mode & (this.#run.has("K") ? 0o7777 : 0o777));
    await sys.utimes(path, { atimeMs: entry.mtimeMs, mtimeMs: entry.mtimeMs });
  }

  /** Where an entry goes: below the directory, whatever its name says. */
  async #targetPath(entry: ZipEntry): Promise<string | undefined> {
    let name = this.#run.has("L") ? entry.name.toLowerCase() : entry.name;
    if (name.startsWith("/")) {
      name = name.replace(/^\/+/, "");
      await this.#sayError(
        `warning:  stripped absolute path spec from ${showZipName(entry.name)}\n`,
        WARNING,
      );
    }
    if (name.split("/").includes("..")) {
      name = name
        .split("/")
        .filter((part) => part !== "..")
        .join("/");
      this.#run.out.addText(
        `warning:  skipped "../" path component(s) in ${showZipName(entry.name)}\n`,
      );
      this.#status = Math.max(this.#status, WARNING);
    }
    // oxlint-disable-next-line no-control-regex -- control characters are what is left out
    const clean = name.replace(/[\x00-\x1f\x7f]/g, "").replace(/\/+$/, "");
    if (this.#run.has("j") && entry.kind === "directory") return undefined;
    const kept = this.#run.has("j") ? baseName(clean) : clean;
    if (kept === "") return undefined;
    const directory = this.#run.options.get("d");
    return directory === undefined ? kept : `${directory.replace(/(.)\/+$/s, "$1")}/${kept}`;
  }

  async #makeParents(path: string): Promise<void> {
    for (let slash = path.indexOf("/", 1); slash !== -1; slash = path.indexOf("/", slash + 1)) {
      try {
        await this.#run.sys.mkdir(path.slice(0, slash), 0o777);
      } catch (error) {
        if (!isKernelError(error, "EEXIST")) throw error;
      }
    }
  }

  async #mayWrite(path: string, entry: ZipEntry): Promise<boolean> {
    const { sys } = this.#run;
    const existing = await findStat(sys, path, true);
    if (existing === undefined) return !this.#run.has("f");
    if (this.#run.has("u") || this.#run.has("f")) {
      if (existing.mtimeMs >= entry.mtimeMs) return false;
    }
    if (this.#overwrites === "ask" && !(await this.#ask(path))) return false;
    if (this.#overwrites === "none") return false;
    await sys.unlink(path);
    return true;
  }

  async #ask(path: string): Promise<boolean> {
    const { sys, out } = this.#run;
    await out.flush();
    await writeAll(sys, 2, encodeText(`replace ${path}? [y]es, [n]o, [A]ll, [N]one, [r]ename: `));
    const answer = new Uint8Array(1);
    let first = "";
    while ((await sys.read(0, answer)) > 0 && answer[0] !== 10) first ||= decodeText(answer);
    if (first === "") {
      await this.#sayError(' NULL\n(EOF or read error, treating as "[N]one" ...)\n', WARNING);
      this.#overwrites = "none";
    }
    if (first === "A") this.#overwrites = "all";
    if (first === "N") this.#overwrites = "none";
    return first === "y" || first === "A";
  }

  async #link(path: string, entry: ZipEntry): Promise<void> {
    if (entry.size > TARGET_BYTES) throw new FormatError("symbolic link is too long");
    let target = "";
    await this.#copy(entry, async (piece) => {
      target += decodeText(piece);
    });
    this.#say(`    linking: ${showZipName(path).padEnd(22)}  -> ${target} \n`);
    this.#links.push({ path, target });
  }

  async #finishLinks(): Promise<void> {
    if (this.#links.length === 0) return;
    this.#say("finishing deferred symbolic links:\n");
    for (const { path, target } of this.#links) {
      this.#say(`  ${showZipName(path).padEnd(22)} -> ${target}\n`);
      await this.#attempt(path, () => this.#run.sys.symlink(target, path));
    }
  }

  async #attempt(path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#sayError(`error:  cannot create ${path}\n        ${errorWords(error)}\n`, ERROR);
    }
  }
}

function verbOf({ method }: ZipEntry): string {
  return method === DEFLATED ? "  inflating" : " extracting";
}

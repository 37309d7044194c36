/** Members become files again. */
import {
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_EXCL,
  O_TRUNC,
  O_WRONLY,
} from "../../../kernel/index.ts";
import { NameDatabase } from "../name-database.ts";
import { writeAll } from "../output.ts";
import { errorWords, type Run } from "../program.ts";
import { findStat } from "../run-command.ts";
import { stripComponents, unsafePrefix } from "./member-names.ts";
import { PlaceholderLinks } from "./placeholder-links.ts";
import { ArchiveError, type MemberReader } from "./read-members.ts";
import type { TarSettings } from "./settings.ts";
import type { Member } from "./tar-header.ts";
import type { TarReport } from "./tar-report.ts";

interface Directory {
  readonly path: string;
  readonly member: Member;
}

export class MemberExtraction {
  readonly #run: Run;
  readonly #settings: TarSettings;
  readonly #report: TarReport;
  readonly #links: PlaceholderLinks;
  readonly #names: NameDatabase;
  /** Modes and times are set when nothing is put into them any more. */
  readonly #directories: Directory[] = [];
  #umask = 0;
  #isRoot = false;

  constructor(run: Run, settings: TarSettings, report: TarReport) {
    this.#run = run;
    this.#settings = settings;
    this.#report = report;
    this.#links = new PlaceholderLinks(run.sys);
    this.#names = new NameDatabase(run.sys);
  }

  async start(): Promise<void> {
    const { sys } = this.#run;
    this.#umask = await sys.umask();
    this.#isRoot = (await sys.getcredentials()).euid === 0;
  }

  async extract(member: Member, reader: MemberReader): Promise<void> {
    const name = await this.#targetName(member);
    if (name === undefined) return;
    this.#report.list(member, this.#settings.showsChanged ? name : member.name);
    if (this.#run.has("to-stdout")) {
      if (member.type === "0")
        for await (const piece of reader.data()) await this.#run.out.write(piece);
      return;
    }
    const path = name.replace(/(.)\/+$/s, "$1");
    if (member.type === "5" || (member.type === "0" && member.name.endsWith("/")))
      return this.#directory(path, member);
    if (member.type === "S" || !"0123456".includes(member.type)) {
      await this.#report.fail(
        `${member.name}: Unknown file type '${member.type}', sparse and special members are not supported`,
      );
      return;
    }
    if (member.type === "2") return this.#symlink(path, member);
    if (member.type === "1") return this.#hardLink(path, member);
    if (member.type === "0") return this.#file(path, member, reader);
    await this.#special(path, member);
  }

  /** Where the member goes; undefined where it goes nowhere. */
  async #targetName(member: Member): Promise<string | undefined> {
    const { strip, change, isAbsolute } = this.#settings;
    const stripped = strip === 0 ? member.name : stripComponents(member.name, strip);
    if (stripped === undefined) return undefined;
    const name = this.#settings.place(change(stripped, "member"));
    if (isAbsolute || name === "") return name === "" ? undefined : name;
    const prefix = unsafePrefix(name);
    if (prefix !== "") await this.#report.removing(prefix, "member names");
    if (name.split("/").includes("..")) {
      await this.#report.fail(`${member.name}: Member name contains '..'`);
      return undefined;
    }
    const rest = name.slice(prefix.length);
    return rest === "" ? "." : rest;
  }

  /** Makes something; directories that are missing are made first, and what is in the way is removed. */
  async #make(path: string, what: string, make: () => Promise<void>): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      try {
        await make();
        return true;
      } catch (error) {
        if (!isKernelError(error)) throw error;
        const isRetried = attempt < 2 && (await this.#clear(path, error.errno));
        if (isRetried) continue;
        if (error.errno === "EEXIST" && this.#run.has("skip-old-files")) return false;
        await this.#report.fail(`${path}: ${what}: ${errorWords(error)}`);
        return false;
      }
    }
  }

  async #clear(path: string, errno: string): Promise<boolean> {
    const { sys } = this.#run;
    if (errno === "ENOENT") return this.#makeParents(path);
    if (errno !== "EEXIST") return false;
    if (this.#run.has("keep-old-files") || this.#run.has("skip-old-files")) return false;
    try {
      const stat = await sys.lstat(path);
      await (stat.kind === "directory" ? sys.rmdir(path) : sys.unlink(path));
      return true;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      return false;
    }
  }

  async #makeParents(path: string): Promise<boolean> {
    let isMade = false;
    for (let slash = path.indexOf("/", 1); slash !== -1; slash = path.indexOf("/", slash + 1)) {
      try {
        await this.#run.sys.mkdir(path.slice(0, slash), 0o777);
        isMade = true;
      } catch (error) {
        if (!isKernelError(error)) throw error;
        if (error.errno !== "EEXIST") return false;
      }
    }
    return isMade;
  }

  async #directory(path: string, member: Member): Promise<void> {
    const { sys } = this.#run;
    const existing = await findStat(sys, path, true);
    const isThere =
      existing?.kind === "directory" ||
      (existing?.kind === "symlink" &&
        (await findStat(sys, path))?.kind === "directory" &&
        this.#run.has("keep-directory-symlink"));
    if (!isThere) {
      const isMade = await this.#make(path, "Cannot mkdir", () => sys.mkdir(path, 0o700));
      if (!isMade) return;
    }
    this.#directories.push({ path, member });
  }

  async #file(path: string, member: Member, reader: MemberReader): Promise<void> {
    const { sys } = this.#run;
    let fd = -1;
    if (this.#run.has("keep-newer-files")) {
      const existing = await findStat(sys, path, true);
      if (existing !== undefined && existing.mtimeMs >= member.mtimeMs) {
        await this.#report.warn(`Current '${path}' is newer or same age`);
        return;
      }
    }
    const isKept = this.#run.has("overwrite");
    const flags = O_WRONLY | O_CREAT | O_CLOEXEC | (isKept ? O_TRUNC : O_EXCL);
    const isOpen = await this.#make(path, "Cannot open", async () => {
      fd = await sys.open(path, flags, 0o600);
    });
    if (!isOpen) return;
    try {
      for await (const piece of reader.data()) await writeAll(sys, fd, piece);
    } catch (error) {
      if (error instanceof ArchiveError) await this.#report.fail(error.message);
      if (!isKernelError(error)) throw error;
      await this.#report.fail(`${path}: Cannot write: ${errorWords(error)}`);
    } finally {
      await sys.close(fd);
    }
    await this.#attributes(path, member);
  }

  async #symlink(path: string, member: Member): Promise<void> {
    const target = this.#settings.change(member.linkName, "link");
    const isMade = await this.#make(path, `Cannot create symlink to '${target}'`, async () => {
      const isUnsafe =
        !this.#settings.isAbsolute && (target.startsWith("/") || target.split("/").includes(".."));
      if (isUnsafe) await this.#links.add(path, target, member.mtimeMs);
      else await this.#run.sys.symlink(target, path);
    });
    if (
      isMade &&
      !this.#run.has("touch") &&
      (await findStat(this.#run.sys, path, true))?.kind === "symlink"
    )
      await this.#run.sys.utimes(
        path,
        { atimeMs: "now", mtimeMs: member.mtimeMs },
        { followsLast: false },
      );
  }

  async #hardLink(path: string, member: Member): Promise<void> {
    const { strip, change, isAbsolute } = this.#settings;
    const stripped = strip === 0 ? member.linkName : stripComponents(member.linkName, strip);
    let target = this.#settings.place(change(stripped ?? member.linkName, "hard"));
    const prefix = isAbsolute ? "" : unsafePrefix(target);
    if (prefix !== "") {
      await this.#report.removing(prefix, "hard link targets");
      target = target.slice(prefix.length);
    }
    const [first, second] = [
      await findStat(this.#run.sys, target, true),
      await findStat(this.#run.sys, path, true),
    ];
    if (first !== undefined && first.ino === second?.ino && first.dev === second.dev) return;
    await this.#make(path, `Cannot hard link to '${target}'`, () =>
      this.#run.sys.link(target, path),
    );
  }

  async #special(path: string, member: Member): Promise<void> {
    const { sys } = this.#run;
    const isFifo = member.type === "6";
    const isMade = await this.#make(path, isFifo ? "Cannot mkfifo" : "Cannot mknod", () =>
      isFifo
        ? sys.mknod(path, "fifo", 0o600)
        : sys.mknod(path, "device", 0o600, member.device.major * 256 + member.device.minor),
    );
    if (isMade) await this.#attributes(path, member);
  }

  async #attributes(path: string, member: Member): Promise<void> {
    const { sys } = this.#run;
    const isExact =
      this.#run.has("preserve-permissions") ||
      this.#run.has("same-permissions") ||
      (this.#isRoot && !this.#run.has("no-same-permissions"));
    const mode = isExact ? member.mode : member.mode & 0o777 & ~this.#umask;
    if (this.#isRoot && !this.#run.has("no-same-owner")) await this.#chown(path, member);
    await sys.chmod(path, mode);
    if (!this.#run.has("touch"))
      await sys.utimes(path, { atimeMs: "now", mtimeMs: member.mtimeMs });
  }

  async #chown(path: string, member: Member): Promise<void> {
    const isNumeric = this.#run.has("numeric-owner");
    const user = isNumeric ? undefined : await this.#names.findUser(member.userName);
    const group = isNumeric ? undefined : await this.#names.findGroup(member.groupName);
    await this.#run.sys.lchown(path, user?.uid ?? member.uid, group?.gid ?? member.gid);
  }

  /** Puts links in their places, then sets what directories are to have. */
  async finish(): Promise<void> {
    await this.#links.finish();
    for (const { path, member } of this.#directories.toReversed()) {
      try {
        await this.#attributes(path, member);
      } catch (error) {
        if (!isKernelError(error)) throw error;
        await this.#report.fail(`${path}: Cannot change mode: ${errorWords(error)}`);
      }
    }
  }
}

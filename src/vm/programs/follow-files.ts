/** `tail -f` and `tail -F`: what is appended to files, or to what has their names, as it comes, until the process is ended. */
import {
  IN_CREATE,
  IN_DELETE,
  IN_MODIFY,
  IN_MOVED_FROM,
  IN_MOVED_TO,
  isKernelError,
  O_CLOEXEC,
  O_RDONLY,
  POLLIN,
  SEEK_SET,
  type Stat,
} from "../../kernel/index.ts";
import { writeAll } from "./output.ts";
import { errorWords, quoteName, type Run } from "./program.ts";

interface Followed {
  readonly name: string;
  /** Undefined while there is no file of that name. */
  fd: number | undefined;
  /** Of the file that is open: its device and number. */
  identity: string;
  offset: number;
}

/** How often a process named by --pid, or a directory that cannot be watched, is looked at. */
const LOOK_MS = 1000;
/** What may give a name to another file. */
const NAMES_CHANGE = IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE;

export async function followFiles(
  run: Run,
  operands: readonly string[],
  isNamed: boolean,
): Promise<void> {
  const how = run.options.get("follow") ?? "";
  const isByName = run.has("F") || (how !== "" && "name".startsWith(how));
  const isPatient = run.has("F") || run.has("retry");
  const follower = new Follower(run, await run.sys.inotifyInit(), { isNamed, isPatient });
  const followed: Followed[] = [];
  for (const name of operands) {
    if (name === "-") continue;
    const file: Followed = { name, fd: undefined, identity: "", offset: 0 };
    if (isByName) await follower.watchNames(name);
    if (await follower.open(file)) file.offset = (await run.sys.fstat(file.fd ?? -1)).size;
    if (file.fd !== undefined || (isByName && isPatient)) followed.push(file);
  }
  follower.last = followed.at(-1);
  if (followed.length === 0 && operands.length > 0) return run.warn("no files remaining");
  for (let left = followed; left.length > 0; ) {
    for (const file of left) {
      await follower.copyAdded(file);
      if (isByName && (await follower.openAgain(file))) await follower.copyAdded(file);
    }
    left = left.filter(({ fd }) => fd !== undefined || isPatient);
    if (left.length === 0) return run.fail("no files remaining");
    const pid = run.options.get("pid");
    if (pid !== undefined && !(await isAlive(run, Number(pid)))) return;
    await follower.wait(pid !== undefined);
  }
}

interface FollowWish {
  /** Whose bytes come is announced. */
  readonly isNamed: boolean;
  /** What is not there may come. */
  readonly isPatient: boolean;
}

class Follower {
  readonly #run: Run;
  readonly #watch: number;
  readonly #wish: FollowWish;
  #mustLook = false;
  /** Whose bytes were written last: those of others are announced. */
  last: Followed | undefined;

  constructor(run: Run, watch: number, wish: FollowWish) {
    this.#run = run;
    this.#watch = watch;
    this.#wish = wish;
  }

  /** A directory that is not there cannot be watched: its names are looked at now and then. */
  async watchNames(name: string): Promise<void> {
    const directory = name.slice(0, name.lastIndexOf("/") + 1) || ".";
    try {
      await this.#run.sys.inotifyAddWatch(this.#watch, directory, NAMES_CHANGE);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      this.#mustLook = true;
    }
  }

  /** Opens what has the name now, and reads from its start; whether there is something. */
  async open(file: Followed): Promise<boolean> {
    const { sys } = this.#run;
    try {
      const fd = await sys.open(file.name, O_RDONLY | O_CLOEXEC);
      await sys.inotifyAddWatch(this.#watch, file.name, IN_MODIFY);
      Object.assign(file, { fd, identity: identityOf(await sys.fstat(fd)), offset: 0 });
      return true;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      return false;
    }
  }

  /** Whether another file has the name by now, which is open then. */
  async openAgain(file: Followed): Promise<boolean> {
    const { sys } = this.#run;
    const quoted = quoteName(file.name);
    const { fd } = file;
    try {
      if (identityOf(await sys.stat(file.name)) === file.identity) return false;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if (fd === undefined) return false;
      const what = this.#wish.isPatient ? `${quoted} has become inaccessible` : file.name;
      await this.#run.fail(`${what}: ${errorWords(error)}`);
      await sys.close(fd);
      Object.assign(file, { fd: undefined, identity: "" });
      return false;
    }
    if (!(await this.open(file))) return false;
    if (fd !== undefined) await sys.close(fd);
    const what = fd === undefined ? "has appeared" : "has been replaced";
    await this.#run.fail(`${quoted} ${what};  following new file`);
    return true;
  }

  async copyAdded(file: Followed): Promise<void> {
    const { sys, out } = this.#run;
    const { fd } = file;
    if (fd === undefined) return;
    const { size } = await sys.fstat(fd);
    if (size < file.offset) {
      await this.#run.warn(`${file.name}: file truncated`);
      file.offset = 0;
    }
    if (size === file.offset) return;
    if (this.#wish.isNamed && file !== this.last) out.addText(`\n==> ${file.name} <==\n`);
    this.last = file;
    await out.flush();
    await sys.seek(fd, file.offset, SEEK_SET);
    const buffer = new Uint8Array(65_536);
    for (let count = await sys.read(fd, buffer); count > 0; count = await sys.read(fd, buffer)) {
      await writeAll(sys, 1, buffer.subarray(0, count));
      file.offset += count;
    }
  }

  async wait(hasPid: boolean): Promise<void> {
    const { sys } = this.#run;
    const limitMs = hasPid || this.#mustLook ? LOOK_MS : -1;
    const [ready = 0] = await sys.poll([{ fd: this.#watch, events: POLLIN }], limitMs);
    if ((ready & POLLIN) !== 0) await sys.read(this.#watch, new Uint8Array(4096));
  }
}

function identityOf({ dev, ino }: Stat): string {
  return `${dev} ${ino}`;
}

async function isAlive(run: Run, pid: number): Promise<boolean> {
  try {
    await run.sys.kill(pid, 0);
    return true;
  } catch (error) {
    if (isKernelError(error, "ESRCH")) return false;
    if (isKernelError(error)) return true;
    throw error;
  }
}

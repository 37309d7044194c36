import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { type Answer, describeStat, type World } from "./world.ts";

/** Linux itself, through Node. */
export class HostWorld implements World {
  readonly root: string;
  readonly #files: number[] = [];

  constructor(root: string) {
    this.root = root;
    fs.mkdirSync(root);
  }

  end(): void {
    for (const fd of this.#files) if (fd >= 0) fs.closeSync(fd);
    openUp(this.root);
    fs.rmSync(this.root, { recursive: true, force: true });
  }

  open = (path: string, flags: number, mode = 0o666): Promise<Answer> =>
    ask(() => this.#files.push(fs.openSync(this.#at(path), flags, mode)) - 1);
  close = (file: number): Promise<Answer> =>
    ask(() => {
      const fd = this.#fd(file);
      this.#files[file] = -1;
      return fs.closeSync(fd);
    });
  read = (file: number, count: number): Promise<Answer> => ask(() => this.#read(file, count, null));
  pread = (file: number, count: number, offset: number): Promise<Answer> =>
    ask(() => this.#read(file, count, offset));
  write = (file: number, text: string): Promise<Answer> =>
    ask(() => fs.writeSync(this.#fd(file), text));
  pwrite = (file: number, text: string, offset: number): Promise<Answer> =>
    ask(() => fs.writeSync(this.#fd(file), text, offset));
  fstat = (file: number): Promise<Answer> => ask(() => facts(fs.fstatSync(this.#fd(file))));
  ftruncate = (file: number, size: number): Promise<Answer> =>
    ask(() => fs.ftruncateSync(this.#fd(file), size));
  fchmod = (file: number, mode: number): Promise<Answer> =>
    ask(() => fs.fchmodSync(this.#fd(file), mode));
  fsync = (file: number): Promise<Answer> => ask(() => fs.fsyncSync(this.#fd(file)));
  stat = (path: string): Promise<Answer> => ask(() => facts(fs.statSync(this.#at(path))));
  lstat = (path: string): Promise<Answer> => ask(() => facts(fs.lstatSync(this.#at(path))));
  access = (path: string, mode: number): Promise<Answer> =>
    ask(() => fs.accessSync(this.#at(path), mode));
  readdir = (path: string): Promise<Answer> => ask(() => fs.readdirSync(this.#at(path)).toSorted());
  readlink = (path: string): Promise<Answer> => ask(() => fs.readlinkSync(this.#at(path)));
  mkdir = (path: string, mode = 0o777): Promise<Answer> =>
    ask(() => {
      fs.mkdirSync(this.#at(path), { mode });
    });
  rmdir = (path: string): Promise<Answer> => ask(() => fs.rmdirSync(this.#at(path)));
  unlink = (path: string): Promise<Answer> => ask(() => fs.unlinkSync(this.#at(path)));
  rename = (from: string, to: string): Promise<Answer> =>
    ask(() => fs.renameSync(this.#at(from), this.#at(to)));
  link = (from: string, to: string): Promise<Answer> =>
    ask(() => fs.linkSync(this.#at(from), this.#at(to)));
  symlink = (target: string, path: string): Promise<Answer> =>
    ask(() => fs.symlinkSync(target, this.#at(path)));
  chmod = (path: string, mode: number): Promise<Answer> =>
    ask(() => fs.chmodSync(this.#at(path), mode));
  truncate = (path: string, size: number): Promise<Answer> =>
    ask(() => fs.truncateSync(this.#at(path), size));
  utimes = (path: string, atimeMs: number, mtimeMs: number): Promise<Answer> =>
    ask(() => {
      fs.utimesSync(this.#at(path), atimeMs / 1000, mtimeMs / 1000);
      const stat = fs.statSync(this.#at(path));
      return [stat.atimeMs, stat.mtimeMs];
    });
  file = (path: string, text = "", mode = 0o644): Promise<Answer> =>
    ask(() => fs.writeFileSync(this.#at(path), text, { mode }));
  text = (path: string): Promise<Answer> => ask(() => fs.readFileSync(this.#at(path), "utf8"));

  run(path: string, ...argv: string[]): Promise<Answer> {
    const { error, stdout, status } = spawnSync(this.#at(path), argv, { encoding: "utf8" });
    if (error !== undefined && "code" in error) return Promise.resolve(String(error.code));
    return Promise.resolve([stdout, status]);
  }

  signalSelf(signal: number): Promise<Answer> {
    const { status, signal: ended } = spawnSync("sh", ["-c", `kill -${signal} $$; exit 7`]);
    return Promise.resolve([status, ended]);
  }

  exitWith(code: number): Promise<Answer> {
    const { status, signal } = spawnSync("sh", ["-c", `exit ${code}`]);
    return Promise.resolve([status, signal]);
  }

  #at(path: string): string {
    return path.startsWith("/") ? path : `${this.root}/${path}`;
  }

  #fd(file: number): number {
    const fd = this.#files[file];
    if (fd === undefined || fd < 0) throw Object.assign(new Error("closed"), { code: "EBADF" });
    return fd;
  }

  #read(file: number, count: number, offset: number | null): string {
    const into = Buffer.alloc(count);
    const got = fs.readSync(this.#fd(file), into, 0, count, offset);
    return into.toString("utf8", 0, got);
  }
}

/** Gives the owner back what a scenario took, so that the tree can be removed. */
function openUp(directory: string): void {
  fs.chmodSync(directory, 0o700);
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) openUp(`${directory}/${entry.name}`);
  }
}

function facts(stat: fs.Stats): Answer {
  const kind = stat.isDirectory() ? "directory" : stat.isSymbolicLink() ? "symlink" : "file";
  return describeStat({ kind, mode: stat.mode & 0o7777, nlink: stat.nlink, size: stat.size });
}

async function ask(call: () => Answer | void): Promise<Answer> {
  try {
    return call() ?? null;
  } catch (error) {
    if (error instanceof Error && "code" in error) return String(error.code);
    throw error;
  }
}

/**
 * The calls that both Linux and our kernel are asked, in the same words. None of them fails: an
 * errno is an answer, as a string. Paths are below a directory that has the same name on both sides.
 */
export type Answer =
  | string
  | number
  | boolean
  | null
  | Answer[]
  | { readonly [key: string]: Answer };

export interface World {
  /** The directory of the scenario, absolute. */
  readonly root: string;
  /** Answers a number of the world's own, the same on both sides: the first is 0. */
  open(path: string, flags: number, mode?: number): Promise<Answer>;
  close(file: number): Promise<Answer>;
  read(file: number, count: number): Promise<Answer>;
  pread(file: number, count: number, offset: number): Promise<Answer>;
  write(file: number, text: string): Promise<Answer>;
  pwrite(file: number, text: string, offset: number): Promise<Answer>;
  fstat(file: number): Promise<Answer>;
  ftruncate(file: number, size: number): Promise<Answer>;
  fchmod(file: number, mode: number): Promise<Answer>;
  fsync(file: number): Promise<Answer>;
  stat(path: string): Promise<Answer>;
  lstat(path: string): Promise<Answer>;
  access(path: string, mode: number): Promise<Answer>;
  readdir(path: string): Promise<Answer>;
  readlink(path: string): Promise<Answer>;
  mkdir(path: string, mode?: number): Promise<Answer>;
  rmdir(path: string): Promise<Answer>;
  unlink(path: string): Promise<Answer>;
  rename(from: string, to: string): Promise<Answer>;
  link(from: string, to: string): Promise<Answer>;
  symlink(target: string, path: string): Promise<Answer>;
  chmod(path: string, mode: number): Promise<Answer>;
  truncate(path: string, size: number): Promise<Answer>;
  utimes(path: string, atimeMs: number, mtimeMs: number): Promise<Answer>;
  /** A file with this text, made or replaced. */
  file(path: string, text?: string, mode?: number): Promise<Answer>;
  /** The content of a file. */
  text(path: string): Promise<Answer>;
  /** Runs a file: what `/bin/echo` was given, or the errno. */
  run(path: string, ...argv: string[]): Promise<Answer>;
  /** A process sends itself a signal and then exits with 7: how it ends. */
  signalSelf(signal: number): Promise<Answer>;
  /** A process that exits with a code: how it ends. */
  exitWith(code: number): Promise<Answer>;
}

export interface Scenario {
  readonly name: string;
  readonly act: (world: World) => Promise<Answer[]>;
}

/** What of a stat does not depend on time and place. */
export interface StatFacts {
  readonly kind: string;
  readonly mode: number;
  readonly nlink: number;
  readonly size: number;
}

/** A directory's size and number of links are its file system's affair. */
export function describeStat({ kind, mode, nlink, size }: StatFacts): Answer {
  return kind === "directory" ? { kind, mode } : { kind, mode, nlink, size };
}

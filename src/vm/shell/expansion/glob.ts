/** Path names that match a pattern, sorted. */
import {
  type FileKind,
  isKernelError,
  O_CLOEXEC,
  O_DIRECTORY,
  O_RDONLY,
} from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";
import { compilePattern, isPattern, unescapePattern } from "./pattern.ts";

/** Directories are read in batches of this many names. */
const BATCH = 1024;
/** `**` goes no deeper. */
const DEPTH_LIMIT = 512;

export async function expandGlob(shell: Shell, pattern: string): Promise<string[]> {
  const segments = splitPath(pattern);
  const walk = new GlobWalk(shell);
  const isAbsolute = pattern.startsWith("/");
  const root = isAbsolute ? (/^\/+/.exec(pattern)?.[0] ?? "/") : "";
  await walk.match(
    root,
    segments.filter((segment, at) => segment !== "" || at === segments.length - 1),
    0,
  );
  return walk.found.toSorted();
}

/** At slashes that are not quoted. */
function splitPath(pattern: string): string[] {
  const segments: string[] = [];
  let current = "";
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === "\\" && at + 1 < pattern.length) {
      at += 1;
      if (pattern.charAt(at) !== "/") {
        current += character + pattern.charAt(at);
        continue;
      }
    }
    if (pattern.charAt(at) === "/") {
      segments.push(current);
      current = "";
    } else {
      current += character;
    }
  }
  return [...segments, current];
}

class GlobWalk {
  readonly found: string[] = [];
  readonly #shell: Shell;

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  /** Adds what matches `segments` below `base`, which ends in a slash or is empty. */
  async match(base: string, segments: readonly string[], depth: number): Promise<void> {
    const [segment, ...rest] = segments;
    if (segment === undefined) return;
    if (segment === "") {
      if (await this.#isDirectory(base)) this.found.push(base);
      return;
    }
    if (segment === "**" && this.#shell.options.has("globstar"))
      return this.#matchDeep(base, rest, depth);
    if (!isPattern(segment)) return this.#matchName(base, unescapePattern(segment), rest, depth);
    const names = await this.#list(base, segment);
    for (const { name, kind } of names) {
      if (rest.length === 0) this.found.push(base + name);
      else if (kind === "directory" || kind === "symlink")
        await this.match(`${base}${name}/`, rest, depth);
    }
  }

  async #matchName(
    base: string,
    name: string,
    rest: readonly string[],
    depth: number,
  ): Promise<void> {
    if (rest.length > 0) return this.match(`${base}${name}/`, rest, depth);
    if (await this.#exists(base + name)) this.found.push(base + name);
  }

  async #matchDeep(base: string, rest: readonly string[], depth: number): Promise<void> {
    if (depth > DEPTH_LIMIT) return;
    if (rest.length === 0 && base !== "" && depth > 0) this.found.push(base.slice(0, -1));
    if (rest.length > 0) await this.match(base, rest, depth);
    for (const { name, kind } of await this.#list(base, "*")) {
      if (kind === "directory") await this.#matchDeep(`${base}${name}/`, rest, depth + 1);
      else if (rest.length === 0) this.found.push(base + name);
    }
  }

  async #list(
    base: string,
    segment: string,
  ): Promise<{ readonly name: string; readonly kind: FileKind }[]> {
    const shell = this.#shell;
    const ignoreCase = shell.options.has("nocaseglob");
    const matcher = shell.remember(shell.patternCache, `${ignoreCase ? "i" : "c"}${segment}`, () =>
      compilePattern(segment, { ignoreCase }),
    );
    const showsDots =
      segment.startsWith(".") || segment.startsWith("\\.") || shell.options.has("dotglob");
    const entries = await this.#read(base === "" ? "." : base);
    return entries.filter(({ name }) => (showsDots || !name.startsWith(".")) && matcher.test(name));
  }

  /** What cannot be read matches nothing. */
  async #read(path: string): Promise<{ readonly name: string; readonly kind: FileKind }[]> {
    const { sys } = this.#shell;
    try {
      const fd = await sys.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      const entries = [];
      try {
        for (
          let batch = await sys.readdir(fd, BATCH);
          batch.length > 0;
          batch = await sys.readdir(fd, BATCH)
        ) {
          entries.push(...batch);
        }
      } finally {
        await sys.close(fd);
      }
      return entries;
    } catch (error) {
      if (isKernelError(error)) return [];
      throw error;
    }
  }

  async #exists(path: string): Promise<boolean> {
    try {
      await this.#shell.sys.lstat(path);
      return true;
    } catch (error) {
      if (isKernelError(error)) return false;
      throw error;
    }
  }

  async #isDirectory(path: string): Promise<boolean> {
    try {
      return (await this.#shell.sys.stat(path)).kind === "directory";
    } catch (error) {
      if (isKernelError(error)) return false;
      throw error;
    }
  }
}

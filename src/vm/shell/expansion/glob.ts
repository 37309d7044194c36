/** Path names that match a pattern, sorted. */
import {
  type FileKind,
  isKernelError,
  O_CLOEXEC,
  O_DIRECTORY,
  O_RDONLY,
} from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";
import { ignoredNames } from "./glob-ignore.ts";
import { patternTest } from "./match-pattern.ts";
import { isPattern, unescapePattern } from "./pattern.ts";

/** Directories are read in batches of this many names. */
const BATCH = 1024;
/** `**` goes no deeper. */
const DEPTH_LIMIT = 512;

export async function expandGlob(shell: Shell, pattern: string): Promise<string[]> {
  const segments = splitPath(pattern);
  const ignored = ignoredNames(shell);
  const walk = new GlobWalk(shell);
  const root = /^\/*/.exec(pattern)?.[0] ?? "";
  await walk.match(root, dropRepeats(shell, segments.slice(root.length)), 0);
  const found = ignored === undefined ? walk.found : walk.found.filter((path) => !ignored(path));
  return found.toSorted();
}

/** `**` twice in a row finds nothing that one does not. */
function dropRepeats(shell: Shell, segments: readonly string[]): string[] {
  if (!shell.options.has("globstar")) return [...segments];
  return segments.filter((segment, at) => segment !== "**" || segments[at + 1] !== "**");
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

interface Entry {
  readonly name: string;
  readonly kind: FileKind;
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
    if (segment === "" && rest.length > 0) return this.match(`${base}/`, rest, depth);
    if (segment === "") {
      if (await this.#isDirectory(base)) this.found.push(base);
      return;
    }
    if (segment === "**" && this.#shell.options.has("globstar"))
      return this.#matchDeep(base, rest, depth);
    const isNocase = this.#shell.options.has("nocaseglob") && /[a-z]/i.test(segment);
    if (!isPattern(segment) && !isNocase)
      return this.#matchName(base, unescapePattern(segment), rest, depth);
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
    if (depth > DEPTH_LIMIT || (base !== "" && !(await this.#isDirectory(base)))) return;
    const isDirectories = rest.length === 1 && rest[0] === "";
    if (isDirectories && base !== "") this.found.push(base);
    else if (rest.length === 0 && base !== "")
      this.found.push(depth === 0 ? base : base.slice(0, -1));
    else if (rest.length > 0 && !isDirectories) await this.match(base, rest, depth);
    for (const { name, kind } of await this.#list(base, "*")) {
      if (kind === "directory") await this.#matchDeep(`${base}${name}/`, rest, depth + 1);
      else if (rest.length === 0) this.found.push(base + name);
    }
  }

  async #list(base: string, segment: string): Promise<Entry[]> {
    const { options } = this.#shell;
    const matches = patternTest(this.#shell, segment, {
      ignoreCase: options.has("nocaseglob"),
      isExtended: options.has("extglob"),
    });
    const asksDots = startsWithDot(segment);
    const showsDots = asksDots || options.has("dotglob");
    const entries = await this.#read(base === "" ? "." : base);
    if (asksDots && !options.has("globskipdots"))
      entries.push({ name: ".", kind: "directory" }, { name: "..", kind: "directory" });
    return entries.filter(({ name }) => (showsDots || !name.startsWith(".")) && matches(name));
  }

  /** What cannot be read matches nothing. */
  async #read(path: string): Promise<Entry[]> {
    const { sys } = this.#shell;
    try {
      const fd = await sys.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      const entries: Entry[] = [];
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

/** Only a pattern whose first character is a dot, also one of its alternatives', finds names with a dot. */
function startsWithDot(segment: string): boolean {
  return /^(?:\\?\.|[@+?*]\((?:[^)]*\|)?\\?\.)/.test(segment);
}

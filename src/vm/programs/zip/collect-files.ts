/** The files a zip command names. */
import { encodeText, isKernelError, type Stat } from "../../../kernel/index.ts";
import { compilePattern } from "../../shell/expansion/pattern.ts";
import { baseName, joinPath, readDirectory } from "../directory.ts";
import { type Output, writeAll } from "../output.ts";
import type { Run } from "../program.ts";
import type { NewEntry } from "./write-zip.ts";

export interface Found {
  /** Undefined for standard input. */
  readonly path: string | undefined;
  readonly entry: NewEntry;
}

export interface Named {
  readonly names: readonly string[];
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

/** All of them once, in order; what is missing is said. */
export async function collectFiles(run: Run, named: Named, messages: Output): Promise<Found[]> {
  const collector = new Collector(run, named, messages);
  for (const name of named.names) await collector.add(name);
  return collector.found;
}

class Collector {
  readonly found: Found[] = [];
  readonly #run: Run;
  readonly #messages: Output;
  readonly #isIncluded: (name: string) => boolean;
  readonly #names = new Set<string>();

  constructor(run: Run, { includes, excludes }: Named, messages: Output) {
    this.#run = run;
    this.#messages = messages;
    const [ins, outs] = [includes, excludes].map((list) => list.map((one) => compilePattern(one)));
    this.#isIncluded = (name) =>
      (ins?.length === 0 || ins?.some((one) => one.test(name)) === true) &&
      outs?.some((one) => one.test(name)) !== true;
  }

  async add(path: string): Promise<void> {
    const { sys } = this.#run;
    if (path === "-") {
      const { nowMs } = await sys.clock();
      const kind = "file";
      this.#keep(undefined, { name: "-", mtimeMs: nowMs, kind, mode: 0o600, hasExtra: false });
      return;
    }
    const stat = await this.#stat(path);
    if (stat === undefined) {
      await this.#messages.flush();
      const text = `\tzip warning: name not matched: ${path}\n`;
      await writeAll(sys, this.#run.operands[0] === "-" ? 2 : 1, encodeText(text));
      return;
    }
    if (stat.kind === "directory") await this.#addDirectory(path.replace(/(.)\/+$/s, "$1"), stat);
    else if (stat.kind === "file" || stat.kind === "symlink") this.#addFile(path, stat);
  }

  async #stat(path: string): Promise<Stat | undefined> {
    const { sys } = this.#run;
    try {
      return await (this.#run.has("symlinks") ? sys.lstat(path) : sys.stat(path));
    } catch (error) {
      if (!isKernelError(error)) throw error;
      return undefined;
    }
  }

  async #addDirectory(path: string, stat: Stat): Promise<void> {
    const name = this.#storedName(path);
    const isStored = !this.#run.has("no-dir-entries") && !this.#run.has("junk-paths");
    if (isStored && name !== "") this.#addFile(`${path}/`, stat);
    if (!this.#run.has("recurse-paths")) return;
    for (const entry of await readDirectory(this.#run.sys, path))
      await this.add(joinPath(path, entry.name));
  }

  #addFile(path: string, stat: Stat): void {
    const { kind, mode, mtimeMs } = stat;
    const hasExtra = !this.#run.has("no-extra");
    this.#keep(path, { name: this.#storedName(path), kind, mode, mtimeMs, hasExtra });
  }

  #storedName(path: string): string {
    if (this.#run.has("junk-paths")) return baseName(path);
    const name = path.replace(/^(?:\.?\/)+/, "");
    return name === "." ? "" : name;
  }

  #keep(path: string | undefined, entry: NewEntry): void {
    if (entry.name === "" || this.#names.has(entry.name) || !this.#isIncluded(entry.name)) return;
    this.#names.add(entry.name);
    this.found.push({ path, entry });
  }
}

/** What find does with a file it has found. */
import { type Answer, isKernelError, shellStatus } from "../../../kernel/index.ts";
import { askYes } from "../ask-yes.ts";
import { NameDatabase } from "../name-database.ts";
import { openOutput } from "../open-output.ts";
import { Output } from "../output.ts";
import { errorWords, quoteName, type Run } from "../program.ts";
import { findCommand, spawnCommand } from "../run-command.ts";
import type { FindFile } from "./file.ts";
import { fillFormat } from "./format.ts";

/** Paths given to one `-exec … +`. */
const GATHERED = 2048;

interface Gathering {
  readonly command: readonly string[];
  paths: string[];
}

export class FindActions {
  readonly #run: Run;
  readonly #names: NameDatabase;
  readonly #gatherings: Gathering[] = [];
  readonly #files = new Map<string, Output>();
  isQuit = false;
  hasFailed = false;

  constructor(run: Run) {
    this.#run = run;
    this.#names = new NameDatabase(run.sys);
  }

  /** Standard output, or a file that is emptied once. Fails with a UsageError. */
  async outputTo(path: string | undefined): Promise<Output> {
    if (path === undefined || path === "/dev/stdout") return this.#run.out;
    const existing = this.#files.get(path);
    if (existing !== undefined) return existing;
    const out = new Output(this.#run.sys, await openOutput(this.#run, path, quoteName(path)));
    this.#files.set(path, out);
    return out;
  }

  print(file: FindFile, end: string, out: Output): Answer<boolean> {
    out.addText(`${file.path}${end}`);
    return out.isFull ? out.flush().then(() => true) : true;
  }

  quit(): boolean {
    this.isQuit = true;
    return true;
  }

  async delete(file: FindFile): Promise<boolean> {
    const { sys } = this.#run;
    if (file.path === ".") return true;
    try {
      await (file.stat.kind === "directory" ? sys.rmdir(file.path) : sys.unlink(file.path));
      return true;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.fail(`cannot delete ${quoteName(file.path)}: ${errorWords(error)}`);
      return false;
    }
  }

  /** `-exec command ;`: true when the command succeeds. */
  async execute(
    file: FindFile,
    command: readonly string[],
    how: { readonly isAsked: boolean; readonly isInDirectory: boolean },
  ): Promise<boolean> {
    const path = how.isInDirectory ? `./${file.name}` : file.path;
    const words = command.map((word) => word.replaceAll("{}", path));
    if (how.isAsked && !(await askYes(this.#run, `< ${words[0]} ... ${file.path} > ? `)))
      return false;
    const directory = how.isInDirectory
      ? file.path.slice(0, Math.max(1, file.path.lastIndexOf("/")))
      : undefined;
    return (await this.#start(words, directory)) === 0;
  }

  /** `-exec command {} +`: always true; the paths are given many at a time. */
  gather(command: readonly string[], isInDirectory: boolean): (file: FindFile) => Promise<boolean> {
    if (isInDirectory) {
      const words = [...command, "{}"];
      return (file) => this.execute(file, words, { isAsked: false, isInDirectory });
    }
    const gathering: Gathering = { command, paths: [] };
    this.#gatherings.push(gathering);
    return async (file) => {
      gathering.paths.push(file.path);
      if (gathering.paths.length >= GATHERED) await this.#release(gathering);
      return true;
    };
  }

  async finish(): Promise<void> {
    for (const gathering of this.#gatherings)
      if (gathering.paths.length > 0) await this.#release(gathering);
    for (const out of this.#files.values()) await out.flush();
  }

  async #release(gathering: Gathering): Promise<void> {
    const { paths } = gathering;
    gathering.paths = [];
    if ((await this.#start([...gathering.command, ...paths], undefined)) !== 0)
      this.hasFailed = true;
  }

  async #start(words: readonly string[], directory: string | undefined): Promise<number> {
    const { sys, out } = this.#run;
    await out.flush();
    const [name = ""] = words;
    const path = await findCommand(sys, name, (await sys.environ()).get("PATH"));
    if (path === undefined) {
      await this.#run.fail(`${quoteName(name)}: No such file or directory`);
      return 127;
    }
    try {
      const pid =
        directory === undefined
          ? await spawnCommand(sys, path, words)
          : await sys.spawn({ path, argv: words, cwd: directory === "." ? "." : directory });
      const waited = await sys.wait({ pid });
      return waited === undefined ? 0 : shellStatus(waited.status);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.fail(`${quoteName(name)}: ${errorWords(error)}`);
      return 126;
    }
  }

  async printFormat(file: FindFile, format: string, out: Output): Promise<boolean> {
    out.addText(await fillFormat(this.#run, this.#names, file, format));
    if (out.isFull) await out.flush();
    return true;
  }
}

import {
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_EXCL,
  O_WRONLY,
  type Stat,
  type Sys,
} from "../../../kernel/index.ts";
import { baseName } from "../directory.ts";
import { Output } from "../output.ts";
import { errorWords } from "../program.ts";
import { SedError } from "./command.ts";
import { LineOutput } from "./outputs.ts";

/** Where the backup of a file goes: a suffix, or a name with `*` for the file's own. */
export function backupName(path: string, suffix: string): string {
  const slash = path.lastIndexOf("/") + 1;
  const base = path.slice(slash);
  if (!suffix.includes("*")) return path + suffix;
  const name = suffix.replaceAll("*", base);
  return name.includes("/") ? name : path.slice(0, slash) + name;
}

/** A file that is edited in place: its lines go into a new file that takes its name at the end. */
export class InPlaceFile {
  readonly out: LineOutput;
  readonly #sys: Sys;
  readonly #path: string;
  readonly #temporary: string;
  readonly #fd: number;

  constructor(sys: Sys, place: { path: string; temporary: string; fd: number; delimiter: number }) {
    this.#sys = sys;
    this.#path = place.path;
    this.#temporary = place.temporary;
    this.#fd = place.fd;
    this.out = new LineOutput(new Output(sys, place.fd), place.delimiter);
  }

  static async start(
    sys: Sys,
    path: string,
    { stat, delimiter }: { readonly stat: Stat; readonly delimiter: number },
  ): Promise<InPlaceFile> {
    const directory = path.slice(0, path.length - baseName(path).length);
    const letters = new Uint8Array(6);
    await sys.getrandom(letters);
    const name = Array.from(letters, (byte) => String.fromCharCode(97 + (byte % 26))).join("");
    const temporary = `${directory}sed${name}`;
    try {
      const fd = await sys.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600);
      await sys.fchmod(fd, stat.mode & 0o7777);
      return new InPlaceFile(sys, { path, temporary, fd, delimiter });
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new SedError(
        `couldn't open temporary file ${directory === "" ? "./" : directory}sed${name}: ${errorWords(error)}`,
        4,
      );
    }
  }

  async finish(suffix: string): Promise<void> {
    await this.out.flush();
    await this.#sys.close(this.#fd);
    try {
      if (suffix !== "") await this.#sys.rename(this.#path, backupName(this.#path, suffix));
      await this.#sys.rename(this.#temporary, this.#path);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new SedError(`cannot rename ${this.#temporary}: ${errorWords(error)}`, 4);
    }
  }
}

/** Links what the host's software offers into a VM that boots: packages and programs. */
import { isKernelError, type Kernel, type Sys } from "../../kernel/index.ts";
import { exists, kindOf } from "./mount-at.ts";

/** Programs linked into the VM; the others are run by their paths. */
const PROGRAMS_LIMIT = 1000;

/** The place of packages that scripts anywhere in the VM find, see Node's modules, "Loading from node_modules". */
const PACKAGES = "/node_modules";
const PROGRAMS = "/usr/local/bin";

/** Links the programs of each folder. What cannot be linked is logged: the software is there all the same. */
export async function linkSoftware(kernel: Kernel, places: readonly string[]): Promise<void> {
  const offered = new Offers(kernel.sysOf(kernel.init));
  for (const at of places) {
    try {
      await offered.link(at);
    } catch (cause) {
      if (!isKernelError(cause)) throw cause;
      kernel.host.log({ level: "warning", message: `the programs of ${at} are not linked`, cause });
    }
  }
}

/** Links to what folders offer. A name that is taken stays what it is. */
class Offers {
  readonly #sys: Sys;
  #programs = 0;

  constructor(sys: Sys) {
    this.#sys = sys;
  }

  async link(at: string): Promise<void> {
    const sys = this.#sys;
    const packages = at.endsWith("/node_modules") ? at : `${at}/node_modules`;
    if (await isDirectory(sys, packages)) {
      if (!(await exists(sys, PACKAGES))) await sys.symlink(packages, PACKAGES);
      await this.#linkPrograms(`${packages}/.bin`);
    }
    if (packages !== at) await this.#linkPrograms(`${at}/bin`);
  }

  async #linkPrograms(directory: string): Promise<void> {
    const sys = this.#sys;
    if (!(await isDirectory(sys, directory))) return;
    const fd = await sys.open(directory, 0);
    for (let page = await sys.readdir(fd); page.length > 0; page = await sys.readdir(fd)) {
      for (const { name } of page) {
        if (this.#programs >= PROGRAMS_LIMIT) return sys.close(fd);
        await this.#linkProgram(`${directory}/${name}`, name);
      }
    }
    return sys.close(fd);
  }

  /** Where a link leads is not looked at: that would fetch the directory of every program. */
  async #linkProgram(path: string, name: string): Promise<void> {
    const sys = this.#sys;
    const { kind, mode } = await sys.lstat(path);
    const isProgram = kind === "symlink" || (kind === "file" && (mode & 0o111) !== 0);
    if (!isProgram) return;
    for (const place of [PROGRAMS, "/usr/bin", "/usr/sbin"]) {
      if (await exists(sys, `${place}/${name}`)) return;
    }
    await sys.symlink(path, `${PROGRAMS}/${name}`);
    this.#programs += 1;
  }
}

async function isDirectory(sys: Sys, path: string): Promise<boolean> {
  return (await kindOf(sys, path)) === "directory";
}

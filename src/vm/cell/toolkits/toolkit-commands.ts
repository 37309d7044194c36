/** The commands of a VM's toolkits: files made when it boots, whose code is loaded when one first runs. */
import {
  encodeText,
  isKernelError,
  type Kernel,
  O_CREAT,
  O_EXCL,
  O_WRONLY,
  type Program,
} from "../../../kernel/index.ts";
import { PROGRAM_MAGIC } from "../../executors/program/program-executor.ts";

/** The program behind `agentos` and every `agentos-<toolkit>`, told apart by argv[0]. */
const PROGRAM = "agentos";
const PLACE = "/usr/local/bin";

let loaded: Program | undefined;

export async function findToolkitProgram(name: string): Promise<Program | undefined> {
  if (name !== PROGRAM) return undefined;
  loaded ??= (await import("../../../toolkit-cli/command/main.ts")).main;
  return loaded;
}

/** A file for each toolkit; one that cannot be made is logged. `agentos` itself is in the image. */
export async function makeToolkitCommands(
  kernel: Kernel,
  toolkits: readonly string[],
): Promise<void> {
  const sys = kernel.sysOf(kernel.init);
  const content = encodeText(`${PROGRAM_MAGIC}${PROGRAM}\n`);
  for (const toolkit of toolkits) {
    try {
      const path = `${PLACE}/${PROGRAM}-${toolkit}`;
      const fd = await sys.open(path, O_WRONLY | O_CREAT | O_EXCL, 0o755);
      await sys.write(fd, content);
      await sys.close(fd);
    } catch (cause) {
      if (!isKernelError(cause)) throw cause;
      const message = `the toolkit ${toolkit} has no command`;
      kernel.host.log({ level: "warning", message, cause });
    }
  }
}

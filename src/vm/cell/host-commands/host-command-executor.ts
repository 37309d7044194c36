import {
  decodeText,
  type Execution,
  type Executor,
  encodeText,
  type Image,
  isKernelError,
  type Kernel,
  O_CREAT,
  O_EXCL,
  O_WRONLY,
  type Sys,
} from "../../../kernel/index.ts";
import { COMMAND_NAME_CHARACTERS } from "../../wire/messages.ts";
import type { ServerRequests } from "../server-requests.ts";
import { HostProcess } from "./host-process.ts";

/** How a file says that the host runs it: this, the command's name, and a line feed. */
const HOST_COMMAND_MAGIC = "\x7fHOSTCOMMAND ";
const PLACE = "/usr/local/bin";

const magic = encodeText(HOST_COMMAND_MAGIC);

/** Runs commands whose body is at the host. Which of them a VM has is decided there. */
export class HostCommandExecutor implements Executor {
  readonly name = "host-command";
  readonly #requests: ServerRequests;
  readonly #kernel: () => Kernel;

  constructor(requests: ServerRequests, kernel: () => Kernel) {
    this.#requests = requests;
    this.#kernel = kernel;
  }

  /** A copy, a link or a file that a guest wrote is the command whose name it holds. */
  readonly identify = (header: Uint8Array): string => `${PLACE}/${nameIn(header)}`;

  readonly accepts = (header: Uint8Array): boolean =>
    header.length >= magic.length && magic.every((byte, at) => header[at] === byte);

  start(image: Image, sys: Sys): Execution {
    const process = new HostProcess({
      name: nameIn(image.header),
      image,
      sys,
      kernel: this.#kernel(),
      requests: this.#requests,
    });
    return { ended: process.run(), kill: () => process.kill() };
  }
}

/** A file for each host command; one that cannot be made is logged. */
export async function makeHostCommands(kernel: Kernel, names: readonly string[]): Promise<void> {
  const sys = kernel.sysOf(kernel.init);
  for (const name of names) {
    try {
      const fd = await sys.open(`${PLACE}/${name}`, O_WRONLY | O_CREAT | O_EXCL, 0o755);
      await sys.write(fd, encodeText(`${HOST_COMMAND_MAGIC}${name}\n`));
      await sys.close(fd);
    } catch (cause) {
      if (!isKernelError(cause)) throw cause;
      const message = `the host command ${name} has no file`;
      kernel.host.log({ level: "warning", message, cause });
    }
  }
}

function nameIn(header: Uint8Array): string {
  const end = header.indexOf(0x0a);
  const name = decodeText(header.subarray(magic.length, end < 0 ? header.length : end));
  return name.slice(0, COMMAND_NAME_CHARACTERS);
}

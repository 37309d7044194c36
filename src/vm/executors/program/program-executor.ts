import {
  decodeText,
  type Execution,
  type Executor,
  encodeText,
  errnoWords,
  type Image,
  isKernelError,
  type KernelLog,
  ProcessEnded,
  type Program,
  type Sys,
} from "../../../kernel/index.ts";
import { isStackOverflow, TOO_DEEP } from "../../programs/memory-limit.ts";
import { findLoaded, findProgram } from "../../programs/registry.ts";

/** How a file says that it is a program: this, its name, and a line feed. */
export const PROGRAM_MAGIC = "\x7fPROGRAM ";

const magic = encodeText(PROGRAM_MAGIC);

/** Exit status of a program with a bug (EX_SOFTWARE, sysexits.h). */
const EX_SOFTWARE = 70;
/** Exit status when a file names a program there is none of, as a shell's "not found". */
const NOT_FOUND = 127;

type FindProgram = (name: string) => Promise<Program | undefined>;

export interface ProgramExecutorOptions {
  readonly log: (line: KernelLog) => void;
  /** Programs that are not in programs/. */
  readonly findMore?: FindProgram;
}

/**
 * Runs programs: TypeScript of this package, on the kernel's own thread, through `Sys` alone.
 *
 * This is the boundary of a program: a KernelError it lets out becomes `name: subject: words` and
 * status 1, a string or buffer that cannot be made is ENOMEM, input nested too deeply for the stack is
 * status 1, too; anything else is a bug, logged, and status 70.
 */
export class ProgramExecutor implements Executor {
  readonly name = "program";
  readonly #log: (line: KernelLog) => void;
  readonly #findMore: FindProgram;

  constructor({ log, findMore = async () => undefined }: ProgramExecutorOptions) {
    this.#log = log;
    this.#findMore = findMore;
  }

  /** A copy, a link or a file that a guest wrote is the program whose name it holds. */
  readonly identify = (header: Uint8Array): string => `/usr/bin/${programName(header)}`;

  readonly accepts = (header: Uint8Array): boolean =>
    header.length >= magic.length && magic.every((byte, at) => header[at] === byte);

  start(image: Image, sys: Sys): Execution {
    return { ended: this.#run(image, sys), kill: () => undefined };
  }

  async #run(image: Image, sys: Sys): Promise<number> {
    const name = programName(image.header);
    const program = findLoaded(name) ?? (await findProgram(name)) ?? (await this.#findMore(name));
    if (program === undefined) return NOT_FOUND;
    return this.#guard(program, image, sys);
  }

  async #guard(program: Program, { argv }: Image, sys: Sys): Promise<number> {
    try {
      return await program(sys, argv);
    } catch (error) {
      if (error instanceof ProcessEnded) throw error;
      const name = argv[0]?.slice(argv[0].lastIndexOf("/") + 1) ?? "program";
      if (isKernelError(error)) return complain(sys, `${name}: ${error.words}`, 1);
      if (isStackOverflow(error)) return complain(sys, `${name}: ${TOO_DEEP}`, 1);
      if (error instanceof RangeError) return complain(sys, `${name}: ${errnoWords("ENOMEM")}`, 1);
      this.#log({ level: "bug", message: `${name} failed`, cause: error });
      return complain(sys, `${name}: internal error`, EX_SOFTWARE);
    }
  }
}

async function complain(sys: Sys, message: string, status: number): Promise<number> {
  try {
    await sys.write(2, encodeText(`${message}\n`));
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
  return status;
}

function programName(header: Uint8Array): string {
  const end = header.indexOf(0x0a);
  return decodeText(header.subarray(magic.length, end < 0 ? header.length : end));
}

import {
  decodeText,
  encodeText,
  isKernelError,
  O_CLOEXEC,
  O_RDONLY,
  shellStatus,
} from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { errorWords, type Run } from "../program.ts";
import { findCommand, spawnCommand } from "../run-command.ts";

/** Statuses of xargs(1). */
const COMMAND_FAILED = 123;
const COMMAND_STOPPED = 124;
const COMMAND_KILLED = 125;
const CANNOT_RUN = 126;
const NOT_FOUND = 127;

/** Runs commands, several at a time under -P. */
export class Pool {
  readonly #run: Run;
  readonly #most: number;
  #running = 0;
  #status = 0;
  #name = "";
  #isStopped = false;
  #input: number | undefined;

  constructor(run: Run) {
    this.#run = run;
    const given = run.options.get("max-procs");
    if (given !== undefined && !/^-?\d+$/.test(given))
      throw new UsageError(`invalid number "${given}" for -P option`);
    if (given !== undefined && Number(given) < 0)
      throw new UsageError(`value ${given} for -P option should be >= 0`);
    this.#most =
      given === undefined ? 1 : Number(given) === 0 ? 64 : Math.max(1, Number(given) || 1);
  }

  async runAll(commands: AsyncIterable<readonly string[]>): Promise<number> {
    for await (const command of commands) {
      if (this.#running >= this.#most) await this.#wait();
      if (this.#isStopped || !(await this.#start(command))) break;
    }
    while (this.#running > 0) await this.#wait();
    if (this.#input !== undefined) await this.#run.sys.close(this.#input);
    return this.#status;
  }

  async #start(command: readonly string[]): Promise<boolean> {
    const { sys, out } = this.#run;
    const [name = ""] = command;
    if (this.#run.has("interactive")) {
      if (!(await askTerminal(this.#run, `${command.join(" ")}?...`))) return true;
    } else if (this.#run.has("verbose")) await this.#say(`${command.join(" ")}\n`);
    await out.flush();
    const path = await findCommand(sys, name, (await sys.environ()).get("PATH"));
    try {
      if (path === undefined) {
        await this.#run.fail(`${name}: No such file or directory`);
        this.#status = NOT_FOUND;
        return false;
      }
      this.#name = name;
      await spawnCommand(sys, path, command, await this.#findInput());
      this.#running += 1;
      return true;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.fail(`${name}: ${errorWords(error)}`);
      this.#status = error.errno === "ENOENT" ? NOT_FOUND : CANNOT_RUN;
      return false;
    }
  }

  /** The items are not the command's to read; it has the terminal under -o, and what xargs has under -a. */
  async #findInput(): Promise<number | undefined> {
    const { sys, options } = this.#run;
    const hasTerminal = options.has("open-tty");
    if (options.has("arg-file") && !hasTerminal) return undefined;
    this.#input ??= hasTerminal
      ? await openTerminal(this.#run)
      : await sys.open("/dev/null", O_RDONLY | O_CLOEXEC);
    return this.#input;
  }

  async #say(text: string): Promise<void> {
    await this.#run.out.flush();
    await this.#run.sys.write(2, encodeText(text));
  }

  async #wait(): Promise<void> {
    const waited = await this.#run.sys.wait({ pid: -1 });
    this.#running -= 1;
    if (waited === undefined) return;
    if (waited.status.kind === "signaled") {
      await this.#run.warn(`${this.#name}: terminated by signal ${waited.status.signal}`);
      this.#status = COMMAND_KILLED;
      this.#isStopped = true;
      return;
    }
    const status = shellStatus(waited.status);
    if (status === 255) {
      await this.#run.warn(`${this.#name}: exited with status 255; aborting`);
      this.#status = COMMAND_STOPPED;
      this.#isStopped = true;
    } else if (status !== 0 && this.#status === 0) {
      this.#status = COMMAND_FAILED;
    }
  }
}

/** -p: standard input is taken by the items, so the terminal is asked. */
async function askTerminal(run: Run, question: string): Promise<boolean> {
  await run.out.flush();
  await run.sys.write(2, encodeText(question));
  const fd = await openTerminal(run);
  const answer = new Uint8Array(256);
  const count = await run.sys.read(fd, answer);
  await run.sys.close(fd);
  return /^y/i.test(decodeText(answer.subarray(0, count)));
}

async function openTerminal({ sys }: Run): Promise<number> {
  try {
    return await sys.open("/dev/tty", O_RDONLY | O_CLOEXEC);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`failed to open /dev/tty for reading: ${errorWords(error)}`, {
      hasHint: false,
    });
  }
}

import { findSignalNumber, KernelError } from "../../../kernel/index.ts";
import type { Stream } from "../../../streams/index.ts";
import type { HostCommand } from "../../../toolkit-cli/index.ts";
import type { BrokerParams, BrokerReply, BrokerServices } from "../../wire/broker-methods.ts";
import { START_LIMIT_BYTES } from "../../wire/messages.ts";
import { LongRequests } from "../long-requests.ts";
import { HeldBytes } from "../toolkits/held-bytes.ts";
import { CommandRun } from "./command-run.ts";
import { countTexts, readStart, TEXTS_LIMIT } from "./read-start.ts";

export interface CommandServiceParts {
  readonly vm: string;
  readonly commands: readonly HostCommand[];
  readonly maxHostCommands: number;
  /** The cell does what no cell of ours does. */
  readonly distrust: (what: string) => void;
  readonly log: (line: string) => void;
}

type Service = BrokerServices["command"];

/** What the words and variables of one VM's runs may take in memory; each text takes some beside its bytes. */
const STARTS_BYTES = 64 << 20;
const TEXT_BYTES = 32;

const nothing = { value: {}, body: new Uint8Array(0) };

/**
 * Serves one VM its host commands, each run on a stream of its own. A cell that has more runs than it may is
 * ended; a command that the VM was not given is refused with ENOENT.
 */
export class CommandService implements Service {
  readonly #parts: CommandServiceParts;
  readonly #commands: ReadonlyMap<string, HostCommand>;
  /** By their streams; undefined while the start comes. */
  readonly #runs = new Map<number, CommandRun | undefined>();
  readonly #starts = new HeldBytes(STARTS_BYTES);
  readonly #long = new LongRequests();
  /** Functions of the host under way, those of processes that are gone included. */
  #unsettled = 0;
  #isClosed = false;

  constructor(parts: CommandServiceParts) {
    this.#parts = parts;
    this.#commands = new Map(parts.commands.map((command) => [command.name, command]));
  }

  async start(
    params: BrokerParams<"command.start">,
    body: Uint8Array,
    stream: Stream,
  ): Promise<BrokerReply<"command.start">> {
    if (this.#runs.size >= this.#parts.maxHostCommands) throw this.#refuse("a command too many");
    if (params.bytes > START_LIMIT_BYTES) throw this.#refuse("a start that is too long");
    this.#runs.set(stream.id, undefined);
    try {
      const start = await this.#long.gather(body, params.bytes, stream.incoming);
      const run = this.#begin(params, start, stream);
      if (this.#runs.has(stream.id)) this.#runs.set(stream.id, run);
    } catch (error) {
      this.#runs.delete(stream.id);
      throw error;
    }
    return nothing;
  }

  async tell({ stream, news }: BrokerParams<"command.tell">): Promise<BrokerReply<"command.tell">> {
    if (news.type === "signal" && (findSignalNumber(news.signal) ?? 0) === 0) {
      throw this.#refuse("an unknown signal");
    }
    this.#runs.get(stream)?.tell(news);
    return nothing;
  }

  /** The VM is gone: every run is given up. */
  close(): void {
    this.#isClosed = true;
    for (const run of this.#runs.values()) run?.abandon("The VM is gone.");
    this.#runs.clear();
  }

  /** ENOENT for a command the VM was not given; E2BIG, EAGAIN where too much is held or under way. */
  #begin(
    { name, pid, words, terminal }: BrokerParams<"command.start">,
    body: Uint8Array,
    stream: Stream,
  ): CommandRun {
    const { vm, log, maxHostCommands } = this.#parts;
    const command = this.#commands.get(name);
    if (this.#isClosed || command === undefined) throw new KernelError("ENOENT");
    if (this.#unsettled >= maxHostCommands) {
      throw new KernelError("EAGAIN", undefined, "runs that were given up have not ended yet");
    }
    const texts = countTexts(body);
    const weight = body.length + TEXT_BYTES * texts;
    if (texts > TEXTS_LIMIT || !this.#starts.has(weight)) throw new KernelError("E2BIG");
    const start = readStart(body, words);
    if (start === undefined) throw this.#refuse("an invalid start");
    const over = (): void => void this.#runs.delete(stream.id);
    const run = new CommandRun({ command, vm, pid, start, terminal, stream, over, log });
    this.#starts.add(weight);
    this.#unsettled += 1;
    run.settled
      .catch((error: unknown) => log(`${name} failed: ${String(error)}`))
      .finally(() => {
        this.#unsettled -= 1;
        this.#starts.give(weight);
      });
    return run;
  }

  #refuse(what: string): KernelError {
    this.#parts.distrust(what);
    return new KernelError("EINVAL", undefined, what);
  }
}

import { findSignalNumber, KernelError } from "../../../kernel/index.ts";
import type { HostCommand } from "../../../toolkit-cli/index.ts";
import {
  type CommandEvents,
  type CommandMethod,
  type CommandMethods,
  START_LIMIT_BYTES,
} from "../../wire/command-requests.ts";
import { CHUNK_BYTES } from "../../wire/messages.ts";
import type { BrokerReply } from "../../wire/requests.ts";
import type { BrokerServices } from "../cell-requests.ts";
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

type Params<M extends CommandMethod> = CommandMethods[M]["params"];

interface EventsReply {
  readonly value: CommandEvents;
  readonly body: Uint8Array;
}

interface OpenRun {
  readonly run: CommandRun;
  isAwaited: boolean;
  isFed: boolean;
}

/** What the words and variables of one VM's runs may take in memory; each text takes some beside its bytes. */
const STARTS_BYTES = 64 << 20;
const TEXT_BYTES = 32;

const nothing = new Uint8Array(0);

/**
 * Serves one VM its host commands. A cell that has more runs than it may, or speaks of runs that are none,
 * is ended; a command that the VM was not given is refused with ENOENT.
 */
export class CommandService implements Pick<BrokerServices, CommandMethod> {
  readonly #parts: CommandServiceParts;
  readonly #commands: ReadonlyMap<string, HostCommand>;
  readonly #runs = new Map<number, OpenRun>();
  readonly #starts = new HeldBytes(STARTS_BYTES);
  /** Functions of the host under way, those of processes that are gone included. */
  #unsettled = 0;
  /** The start whose pieces are coming. */
  #put: { readonly run: number; readonly pieces: Uint8Array[]; bytes: number } | undefined;
  #isClosed = false;

  constructor(parts: CommandServiceParts) {
    this.#parts = parts;
    this.#commands = new Map(parts.commands.map((command) => [command.name, command]));
  }

  async putCommandStart(
    { run }: Params<"putCommandStart">,
    body: Uint8Array,
  ): Promise<BrokerReply<"putCommandStart">> {
    // The pieces of ours are full: small ones would be held by the million.
    if (body.length !== CHUNK_BYTES) throw this.#refuse("a piece of a start that is none");
    if (this.#put?.run !== run) this.#put = { run, pieces: [], bytes: 0 };
    this.#put.bytes += body.length;
    if (this.#put.bytes > START_LIMIT_BYTES) throw this.#refuse("a start that is too long");
    this.#put.pieces.push(body);
    return { value: {}, body: nothing };
  }

  async startCommand(params: Params<"startCommand">, body: Uint8Array): Promise<EventsReply> {
    const { run: number } = params;
    const whole = this.#whole(number, body);
    if (this.#runs.has(number) || this.#runs.size >= this.#parts.maxHostCommands) {
      throw this.#refuse("a command too many");
    }
    const open = this.#begin(params, whole);
    this.#runs.set(number, open);
    return this.#nextOf(number, open, true);
  }

  async nextCommandEvents({ run: number }: Params<"nextCommandEvents">): Promise<EventsReply> {
    const open = this.#runs.get(number);
    if (open === undefined || open.isAwaited) throw this.#refuse("a run that is none");
    return this.#nextOf(number, open, false);
  }

  /** One that is over already takes no input. */
  async feedCommand(
    { run: number, isEnd = false, errno }: Params<"feedCommand">,
    body: Uint8Array,
  ): Promise<BrokerReply<"feedCommand">> {
    const open = this.#runs.get(number);
    if (open === undefined) return { value: over, body: nothing };
    const isInput = body.length > 0 || isEnd || errno !== undefined;
    if (open.isFed || (isInput && !open.run.isOwedInput)) {
      throw this.#refuse("input that nobody asked for");
    }
    open.isFed = true;
    const value = await open.run.feed(body, isEnd, errno);
    open.isFed = false;
    return { value, body: nothing };
  }

  async tellCommand({ run, news }: Params<"tellCommand">): Promise<BrokerReply<"tellCommand">> {
    if (news.type === "signal" && (findSignalNumber(news.signal) ?? 0) === 0) {
      throw this.#refuse("a signal that is none");
    }
    this.#runs.get(run)?.run.tell(news);
    if (news.type === "gone") this.#runs.delete(run);
    return { value: {}, body: nothing };
  }

  /** The VM is gone: every run is given up. */
  close(): void {
    this.#isClosed = true;
    for (const { run } of this.#runs.values()) run.abandon("The VM is gone.");
    this.#runs.clear();
    this.#put = undefined;
  }

  /** ENOENT for a command the VM was not given; E2BIG, EAGAIN where too much is held or under way. */
  #begin({ name, pid, words, terminal }: Params<"startCommand">, body: Uint8Array): OpenRun {
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
    if (start === undefined) throw this.#refuse("a start that is none");
    const run = new CommandRun({ command, vm, pid, start, terminal, log });
    this.#starts.add(weight);
    this.#unsettled += 1;
    run.settled
      .catch((error: unknown) => log(`${name} failed: ${String(error)}`))
      .finally(() => {
        this.#unsettled -= 1;
        this.#starts.give(weight);
      });
    return { run, isAwaited: false, isFed: false };
  }

  async #nextOf(number: number, open: OpenRun, isStart: boolean): Promise<EventsReply> {
    open.isAwaited = true;
    const { value, body } = await open.run.next(isStart);
    open.isAwaited = false;
    if (value.end !== undefined) this.#runs.delete(number);
    return { value, body };
  }

  /** The start with the pieces that came before. */
  #whole(run: number, last: Uint8Array): Uint8Array {
    const put = this.#put;
    if (put?.run !== run) return last;
    this.#put = undefined;
    if (put.bytes + last.length > START_LIMIT_BYTES) throw this.#refuse("a start that is too long");
    return Buffer.concat([...put.pieces, last]);
  }

  #refuse(what: string): KernelError {
    this.#parts.distrust(what);
    return new KernelError("EINVAL", undefined, what);
  }
}

const over = { wantsInput: false, isOver: true, listens: false };

/** What a cell does with what the server says: boots the kernel once, then serves calls and streams. */
import { encodeText, type FileSystem, KernelError } from "../../kernel/index.ts";
import type { GuestNatives } from "../executors/isolate/load-natives.ts";
import type { CellMethod, CellParams, CellResult } from "../wire/cell-methods.ts";
import type { FromCell } from "../wire/from-cell.ts";
import type { BootConfig, ToCell } from "../wire/messages.ts";
import { bootMachine, type Machine } from "./boot-machine.ts";
import { CellHost } from "./cell-host.ts";
import type { CellWire } from "./cell-wire.ts";
import { endNow } from "./end-now.ts";
import { endSession } from "./end-session.ts";
import * as files from "./file-calls.ts";
import { listProcesses } from "./list-processes.ts";
import { MemoryWatch } from "./memory-watch.ts";
import { pageOf } from "./page-of.ts";
import { ServerRequests } from "./server-requests.ts";
import { traceOnto } from "./trace-calls.ts";
import { Turns } from "./turns.ts";

interface Answer {
  readonly value: unknown;
  readonly body?: Uint8Array;
}

type Calls = {
  readonly [M in Exclude<CellMethod, "boot" | "relieve" | "warmUp">]: (
    machine: Machine,
    params: CellParams<M>,
    body: Uint8Array,
  ) => Promise<CellResult<M> & { body?: Uint8Array }>;
};

const calls: Calls = {
  exec: ({ commands }, params, body) => commands.start(params, body),
  signalExec: async ({ commands }, { stream, signal }) => {
    await commands.signal(stream, signal);
    return {};
  },
  endSession: async ({ kernel }, { sid, graceMs }) => {
    await endSession(kernel, sid, graceMs);
    return {};
  },
  awaitDemand: async ({ commands }, { stream }) => {
    await commands.awaitDemand(stream);
    return {};
  },
  resize: async ({ commands }, { stream, cols, rows }) => {
    await commands.resize(stream, cols, rows);
    return {};
  },
  hangUp: async ({ commands }, { stream }) => {
    commands.hangUp(stream);
    return {};
  },
  screen: async ({ commands }, { stream }) => {
    const view = await commands.screen(stream);
    if (view === undefined) return { isKept: false };
    return { isKept: true, body: encodeText(JSON.stringify(view)) };
  },
  readFile: ({ kernel }, params) => files.readFile(kernel, params),
  writeFile: ({ kernel }, params, body) => files.writeFile(kernel, params, body),
  undoWrite: async ({ kernel }, params) => {
    await files.undoWrite(kernel, params);
    return {};
  },
  stat: ({ kernel }, params) => files.statFile(kernel, params),
  readdir: ({ kernel }, params) => files.readDirectory(kernel, params),
  mkdir: async ({ kernel }, params) => {
    await files.makeDirectory(kernel, params);
    return {};
  },
  remove: async ({ kernel }, params) => {
    await files.removeFile(kernel, params);
    return {};
  },
  rename: async ({ kernel }, params) => {
    await files.renameFile(kernel, params);
    return {};
  },
  watch: async ({ watches }, params) => {
    await watches.add(params);
    return {};
  },
  unwatch: async ({ watches }, { watch }) => {
    await watches.remove(watch);
    return {};
  },
  processes: async ({ kernel }, { after }) => listProcesses(kernel, after),
  trace: async ({ kernel, streams }, params) => {
    traceOnto(kernel, streams, params);
    return {};
  },
  kill: async ({ kernel }, { pid, signal }) => {
    await kernel.sysOf(kernel.init).kill(pid, signal);
    return {};
  },
  audit: async ({ kernel }, { after, limit }) => {
    const records = kernel.audit.after(after, Math.min(limit, AUDIT_PAGE));
    return { records: [...pageOf(records)] };
  },
  ping: async () => ({}),
};

/** What the server gets to end a cell that asked for it. */
const GIVE_UP_MS = 1_000;
/** The methods whose answers may be large, and how many of them are answered at one time: the others wait for the wire. */
const largeAnswers: ReadonlySet<CellMethod> = new Set([
  "readFile",
  "readdir",
  "processes",
  "audit",
  "screen",
]);
const LARGE_ANSWERS_UNDER_WAY = 8;
/** Records of one answer at most. */
const AUDIT_PAGE = 4096;

export interface CellParts {
  /** The read-only root below what the VM writes. */
  readonly image: FileSystem;
  readonly wire: CellWire;
  /** What runs JavaScript; undefined where the platform has none. */
  readonly natives?: GuestNatives | undefined;
  /** The memory of this process; a watch of its own unless cells share one. */
  readonly memory?: MemoryWatch;
  /** Makes the first command of this process faster. */
  readonly warmUp?: () => Promise<void>;
}

/** One VM's half of the wire. */
export class Cell {
  readonly #wire: CellWire;
  readonly #largeAnswers = new Turns(LARGE_ANSWERS_UNDER_WAY);
  readonly #host: CellHost;
  readonly #image: FileSystem;
  readonly #requests: ServerRequests;
  readonly #natives: GuestNatives | undefined;
  readonly #warmUp: (() => Promise<void>) | undefined;
  #machine: Machine | undefined;

  constructor({ image, wire, natives, warmUp, memory = new MemoryWatch() }: CellParts) {
    this.#warmUp = warmUp;
    this.#image = image;
    this.#natives = natives;
    this.#wire = wire;
    this.#host = new CellHost(wire, memory);
    this.#requests = new ServerRequests(wire);
  }

  /** The VM in it; undefined until it has booted. */
  get machine(): Machine | undefined {
    return this.#machine;
  }

  /** The server ends this process; if it cannot, nobody waits for that. */
  #giveUp(): void {
    this.#wire.send({ type: "stuck" });
    setTimeout(endNow, GIVE_UP_MS);
  }

  receive(message: ToCell, body: Uint8Array): void {
    switch (message.type) {
      case "call":
        this.#requests.outsideChanged();
        this.#call(message, body.slice());
        break;
      case "data":
      case "credit":
      case "end":
      case "stop":
        this.#wire.streams.receive(message, body);
        break;
      case "answer":
        this.#host.answer(message.ask, message.answer);
        break;
      case "memoryShort":
        this.#machine?.memory.killLargest(this.#machine.kernel, message);
        break;
      case "toolkitChanged":
        this.#machine?.toolkits.forget(message.toolkit);
        break;
      case "mountChanged":
        this.#requests.outsideChanged();
        this.#machine?.mounts[message.mount]?.tellChanges(message.node, message.changes);
        break;
      case "reply":
      case "refusal":
        this.#requests.receive(message, body);
        break;
    }
  }

  #call(call: Extract<ToCell, { type: "call" }>, body: Uint8Array): void {
    const answered = largeAnswers.has(call.method)
      ? this.#answerInTurn(call, body)
      : this.#answer(call, body);
    answered.catch((cause: unknown) => {
      this.#host.log({ level: "bug", message: `no answer to ${call.method}`, cause });
    });
  }

  async #answer(call: Extract<ToCell, { type: "call" }>, body: Uint8Array): Promise<void> {
    try {
      const { value, body: answerBody } = await this.#perform(call, body);
      this.#wire.send({ type: "result", id: call.id, value }, answerBody);
    } catch (error) {
      this.#wire.send(failureOf(call.id, error));
      if (!(error instanceof KernelError)) throw error;
    }
  }

  /** A large answer is made when the wire has taken those before. */
  async #answerInTurn(call: Extract<ToCell, { type: "call" }>, body: Uint8Array): Promise<void> {
    try {
      await this.#largeAnswers.take();
    } catch (error) {
      this.#wire.send(failureOf(call.id, error));
      return;
    }
    try {
      await this.#answer(call, body);
      await this.#wire.untilRoom();
    } finally {
      this.#largeAnswers.pass();
    }
  }

  async #perform(
    { method, params }: Extract<ToCell, { type: "call" }>,
    body: Uint8Array,
  ): Promise<Answer> {
    if (method === "boot") {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server is trusted and ships with this code
      await this.#boot(params as BootConfig);
      return { value: {} };
    }
    if (method === "warmUp") {
      await this.#warmUp?.();
      return { value: {} };
    }
    if (method === "relieve") {
      this.#machine?.node.giveBack();
      this.#host.memory.relieve();
      return { value: {} };
    }
    if (this.#machine === undefined) {
      if (method === "ping") return { value: {} };
      throw new KernelError("ENXIO", method);
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above: params belong to the method
    const perform = calls[method] as (
      machine: Machine,
      params: unknown,
      body: Uint8Array,
    ) => Promise<{ body?: Uint8Array }>;
    const { body: answerBody, ...value } = await perform(this.#machine, params, body);
    return answerBody === undefined ? { value } : { value, body: answerBody };
  }

  async #boot(config: BootConfig): Promise<void> {
    if (this.#machine !== undefined) throw new KernelError("EBUSY", "boot");
    const parts = {
      image: this.#image,
      host: this.#host,
      wire: this.#wire,
      requests: this.#requests,
      natives: this.#natives,
      onStuck: () => this.#giveUp(),
    };
    this.#machine = await bootMachine(parts, config);
  }
}

function failureOf(id: number, error: unknown): FromCell {
  if (!(error instanceof KernelError)) return { type: "failure", id, errno: "EIO" };
  const { errno, subject, reason } = error;
  return { type: "failure", id, errno, subject: subject?.slice(0, 4096), reason };
}

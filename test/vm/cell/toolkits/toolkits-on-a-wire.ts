import { Limits, type LimitValues, type WaitQueue } from "../../../../src/kernel/index.ts";
import type { Stream } from "../../../../src/streams/index.ts";
import { ServerRequests } from "../../../../src/vm/cell/server-requests.ts";
import { DescriptionCache } from "../../../../src/vm/cell/toolkits/description-cache.ts";
import { ToolCalls } from "../../../../src/vm/cell/toolkits/tool-calls.ts";
import { ToolkitsFile } from "../../../../src/vm/cell/toolkits/toolkits-file.ts";
import type { FromCell } from "../../../../src/vm/wire/from-cell.ts";
import { eventTags } from "../../../../src/vm/wire/messages.ts";
import { linkStreams } from "../../../support/linked-streams.ts";
import { settle, TestWaiter } from "../../../support/waiter.ts";

const O_RDWR = 2;

interface Sent {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly stream: number; readonly pid?: number; readonly command?: string };
  readonly body: string;
}

/** A process of the VM that waits as the kernel's do. */
class Caller extends TestWaiter {
  readonly pid = 42;
  readonly argv = ["/usr/local/bin/agentos-demo", "echo", "--password=hunter2"];

  override wait(queues: WaitQueue | readonly WaitQueue[]): Promise<boolean> {
    return super.wait(queues);
  }
}

/** Open devices of one VM, and the server's end of its wire as the test plays it. */
export class ToolkitsOnAWire {
  readonly sent: Sent[] = [];
  readonly limits: Limits;
  readonly descriptions = new DescriptionCache();
  readonly caller = new Caller();
  readonly #requests: ServerRequests;
  readonly #calls: ToolCalls;
  /** The server's ends of the streams of calls. */
  readonly streams = new Map<number, Stream>();

  constructor(limits: Partial<LimitValues> = {}) {
    this.limits = new Limits(limits, () => undefined);
    const { server, cell } = linkStreams();
    this.#requests = new ServerRequests({
      streams: cell,
      send: (message: FromCell, body = new Uint8Array()) => {
        if (message.type !== "request") return;
        const { id, method } = message;
        const params = message.params as Sent["params"];
        const { stream } = params;
        if (method === "toolkit.open") {
          this.streams.set(stream, server.accept(stream, { isIncomingOnDemand: true }));
        }
        this.sent.push({ id, method, params, body: new TextDecoder().decode(body) });
      },
    });
    this.#calls = new ToolCalls(this.#requests, this.limits, () => 7);
  }

  open(flags = O_RDWR): ToolkitsFile {
    const node = { path: "/dev/toolkits", stat: () => Promise.reject(new Error("unused")) };
    const file = new ToolkitsFile(flags, node, {
      calls: this.#calls,
      descriptions: this.descriptions,
    });
    file.retain();
    return file;
  }

  /** The requests with this method, oldest first. */
  of(method: string): Sent[] {
    return this.sent.filter((one) => one.method === method);
  }

  /** Answers a request as the server does. */
  async answer(request: Sent | undefined): Promise<void> {
    if (request === undefined) throw new Error("there is no such request");
    this.#requests.receive({ type: "reply", id: request.id, value: {} }, new Uint8Array());
    await settle();
  }

  /** Answers a request and sends a part of its events, the last one or not. */
  async reply(request: Sent | undefined, text: string, isLast: boolean): Promise<void> {
    await this.answer(request);
    await this.sendMore(request, text, isLast);
  }

  async sendMore(request: Sent | undefined, text: string, isLast: boolean): Promise<void> {
    const stream = this.streams.get(request?.params.stream ?? 0);
    if (stream === undefined) throw new Error("there is no such stream");
    const tag = isLast ? eventTags.last : eventTags.event;
    stream.outgoing.send(new TextEncoder().encode(text), tag);
    if (isLast) stream.close();
    await settle();
  }

  async refuse(request: Sent | undefined): Promise<void> {
    if (request === undefined) throw new Error("there is no such request");
    const message = { type: "refusal", id: request.id, errno: "EIO" } as const;
    this.#requests.receive(message, new Uint8Array());
    await settle();
  }

  async write(file: ToolkitsFile, ...lines: (object | string)[]): Promise<number> {
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
    const written = file.write(new TextEncoder().encode(`${text.join("\n")}\n`), this.caller);
    await settle();
    return written;
  }

  async read(file: ToolkitsFile, bytes = 65_536): Promise<string> {
    const into = new Uint8Array(bytes);
    const count = await file.read(into, this.caller);
    await settle();
    return new TextDecoder().decode(into.subarray(0, count));
  }
}

export const callOf = (id: number, input: unknown = {}): object => ({
  id,
  op: "call",
  toolkit: "demo",
  tool: "echo",
  input,
});

export const result = (id: number, json: unknown = 1): string =>
  `${JSON.stringify({ id, type: "result", value: { kind: "json", json } })}\n`;

// A client that sends what it likes: bytes for the readers of frames and lines, and messages for a control connection whose
// server is the real one.
import { createConnection, createServer, type Socket } from "node:net";
import { join } from "node:path";
import {
  ControlConnection,
  type ControlConnectionOptions,
} from "../../src/mcp-server/control/control-connection.ts";
import { type Line, LineSplitter } from "../../src/mcp-server/lines.ts";
import {
  type Envelope,
  readEnvelope,
  requestIdOfLongLine,
} from "../../src/mcp-server/shim/envelope.ts";
import { encodeFrame, FrameError, type FrameHeader, FrameReader } from "../../src/vm/wire/frame.ts";
import { Chance, mutate, mutateBytes } from "./chance.ts";

type Method = ControlConnectionOptions["methods"] extends ReadonlyMap<string, infer M> ? M : never;

/** Reads its input to the end. */
const drain: Method = async (_, { input }) => {
  let bytes = 0;
  for await (const piece of input) bytes += piece.length;
  return bytes;
};

/** Frames of callers, and lines of MCP clients. */
export interface ReaderCases {
  readonly frames: readonly FrameHeader[];
  readonly lines: readonly string[];
}

export class ReaderFuzzer {
  readonly problems: string[] = [];
  readonly #cases: ReaderCases;

  constructor(cases: ReaderCases) {
    this.#cases = cases;
  }

  /** Frames, cut anywhere: what is read is what was sent, or a FrameError. */
  readFrames(seed: number): void {
    const chance = new Chance(seed);
    const sent = Array.from({ length: 1 + chance.int(8) }, () => chance.pick(this.#cases.frames));
    const whole = Buffer.concat(sent.map((header) => encodeFrame(header, chance.bytes(200))));
    const isChanged = chance.oneIn(2);
    const bytes = isChanged ? Buffer.from(mutateBytes(whole, chance)) : whole;
    const reader = new FrameReader(undefined, chance.oneIn(2));
    const read: unknown[] = [];
    try {
      for (const part of cut(bytes, chance)) {
        for (const { header } of reader.push(part)) read.push(header);
      }
    } catch (error) {
      if (!(error instanceof FrameError)) this.#fail(seed, error);
      else if (!isChanged) this.#fail(seed, new Error("frames that are frames were refused"));
      return;
    }
    if (!isChanged && JSON.stringify(read) !== JSON.stringify(sent)) {
      this.#fail(seed, new Error(`read ${JSON.stringify(read)}`));
    }
  }

  /** Lines, cut anywhere: each is a line of what was sent, and its envelope is what its JSON says, if it is JSON. */
  readLines(seed: number): void {
    const chance = new Chance(seed);
    const exact = new Set<string>();
    const lines = Array.from({ length: 1 + chance.int(6) }, () => this.#line(chance, exact));
    const limit = chance.pick([64, 4096, 1 << 20]);
    const splitter = new LineSplitter(limit, (long) => void requestIdOfLongLine(long));
    try {
      for (const part of cut(Buffer.from(`${lines.join("\n")}\n`), chance)) {
        for (const line of splitter.push(Buffer.from(part))) this.#checkLine(seed, line, exact);
      }
    } catch (error) {
      this.#fail(seed, error);
    }
  }

  /** A control connection to the end: it answers or closes. */
  async talk(seed: number, directory: string): Promise<void> {
    const chance = new Chance(seed);
    const path = join(directory, `${seed}.sock`);
    const server = createServer();
    const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const client = createConnection(path);
    client.on("error", () => undefined);
    client.resume();
    const socket = await accepted;
    socket.on("error", () => undefined);
    const bugs: unknown[] = [];
    const connection = new ControlConnection(socket, {
      methods: new Map<string, Method>([
        ["echo", async (params) => params],
        ["drain", drain],
      ]),
      shared: {} as never,
      logBug: (error) => bugs.push(error),
    });
    for (let left = 40; left > 0 && client.writable; left--) {
      const header = chance.pick(this.#cases.frames);
      const changed = chance.oneIn(4) ? mutate(header, chance) : header;
      const isHeader = typeof changed === "object" && changed !== null && !Array.isArray(changed);
      client.write(encodeFrame(isHeader ? { ...changed } : {}, chance.bytes(30)));
    }
    client.end();
    await connection.closed;
    await new Promise((resolve) => server.close(resolve));
    for (const bug of bugs) this.#lookAt(seed, bug);
  }

  /** What is logged of a caller's mistake names the mistake. */
  #lookAt(seed: number, bug: unknown): void {
    const name = bug instanceof Error ? bug.name : "";
    if (!["MalformedMessage", "StreamBreach", "FrameError", "AbortError"].includes(name)) {
      this.#fail(seed, bug);
    }
  }

  /** A message, as `exact` says, or bytes that may be none or name a member twice. */
  #line(chance: Chance, exact: Set<string>): string {
    const line = chance.pick(this.#cases.lines);
    if (!chance.oneIn(3)) {
      const message = JSON.stringify(mutate(JSON.parse(line), chance)) ?? "";
      exact.add(message);
      return message;
    }
    return Buffer.from(mutateBytes(Buffer.from(line), chance)).toString("latin1");
  }

  #checkLine(seed: number, line: Line, exact: ReadonlySet<string>): void {
    const envelope = readEnvelope(line);
    const text = Buffer.concat(line).toString().trimEnd();
    if (exact.has(text)) this.#checkEnvelope(seed, text, envelope);
  }

  #checkEnvelope(seed: number, text: string, { id, method }: Envelope): void {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    const said: { readonly id?: unknown; readonly method?: unknown } = value;
    const isId = typeof said.id === "string" || typeof said.id === "number";
    if (isId && typeof said.method === "string" && (id !== said.id || method !== said.method)) {
      this.#fail(
        seed,
        new Error(`took ${String(id)} and ${String(method)} of ${text.slice(0, 300)}`),
      );
    }
  }

  #fail(seed: number, error: unknown): void {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.problems.push(`seed ${seed}: ${words}`);
  }
}

function* cut(bytes: Uint8Array, chance: Chance): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + chance.int(chance.pick([2, 20, 2000]));
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

import { describe, expect, it } from "vitest";
import type { OpenFile, Process } from "../../../src/kernel/index.ts";
import { STREAM_WINDOW_BYTES, type Stream } from "../../../src/streams/index.ts";
import { CommandInput } from "../../../src/vm/cell/command-input.ts";
import { CommandOutput } from "../../../src/vm/cell/command-output.ts";
import { execTags } from "../../../src/vm/wire/messages.ts";
import { describeStreamContract, type StreamUnderTest } from "../../contract/stream-contract.ts";
import { linkStreams } from "../../support/linked-streams.ts";
import { outcome, TestWaiter } from "../../support/waiter.ts";

const CAPACITY_BYTES = 65_536;

interface Opened {
  readonly stdout: OpenFile;
  readonly stderr: OpenFile;
  readonly output: CommandOutput;
  /** The server's end. */
  readonly stream: Stream;
  /** What was planned for the end of the kernel's turn. */
  readonly turns: (() => void)[];
}

/** The outputs of a command. Turns end at once unless they are asked for. */
function openOutput({ endsTurns = true } = {}): Opened {
  const { server, cell } = linkStreams();
  const stream = server.open();
  const turns: (() => void)[] = [];
  const output = new CommandOutput(cell.accept(stream.id).outgoing, {
    nextIno: () => 7,
    nowMs: 0,
    capacityBytes: CAPACITY_BYTES,
    later: (flush) => (endsTurns ? flush() : turns.push(flush)),
  });
  const [stdout, stderr] = output.files;
  if (stdout === undefined || stderr === undefined) throw new Error("no outputs");
  stdout.retain();
  stderr.retain();
  return { stdout, stderr, output, stream, turns };
}

/** A command's output that is another's input, as if the server passed it on at once. */
function makePair(): StreamUnderTest {
  const { stdout, stderr, output, stream } = openOutput();
  stderr.drop();
  output.sendStatus({ kind: "exited", code: 0 });
  const { server, cell } = linkStreams();
  const feeding = server.open();
  const input = new CommandInput(cell.accept(feeding.id).incoming, {
    ino: 8,
    nowMs: 0,
    capacityBytes: CAPACITY_BYTES,
  });
  feeding.outgoing.onRoom = () => {
    if (feeding.outgoing.isStopped) stream.incoming.stop();
  };
  stream.incoming.consume({
    take: (bytes, tag) =>
      tag === execTags.stdout ? feeding.outgoing.write(bytes.slice()) : undefined,
    ended: () => feeding.outgoing.end(),
    failed: () => undefined,
  });
  input.file.retain();
  return {
    readEnd: input.file,
    writeEnd: stdout,
    afterWriterLeft: 0,
    whenWriterLeaves: 0,
    keepsBytesOfGoneWriter: true,
    afterReaderLeft: "EPIPE",
  };
}

describeStreamContract("output and input of a command", makePair);

/** Everything that has come, as `tag text`. */
function collect(stream: Stream): string[] {
  const pieces: string[] = [];
  stream.incoming.consume({
    take: (bytes, tag) => void pieces.push(`${tag} ${new TextDecoder().decode(bytes)}`),
    ended: () => pieces.push("end"),
    failed: (error) => pieces.push(String(error)),
  });
  return pieces;
}

const write = (file: OpenFile, text: string): Promise<number> =>
  file.write(new TextEncoder().encode(text), new TestWaiter());

describe("CommandOutput", () => {
  it("keeps the order of both outputs, and gathers what goes to one in a row", async () => {
    const { stdout, stderr, stream, turns } = openOutput({ endsTurns: false });
    const pieces = collect(stream);
    await write(stdout, "1");
    await write(stdout, "2");
    await write(stderr, "3");
    await write(stdout, "4");
    await write(stdout, "5");
    expect([pieces, turns.length]).toEqual([[], 1]);
    turns[0]?.();
    expect(pieces).toEqual(["1 12", "2 3", "1 45"]);
  });

  it("sends the status behind what was written before, and ends when nobody can write", async () => {
    const { stdout, stderr, output, stream, turns } = openOutput({ endsTurns: false });
    const pieces = collect(stream);
    await write(stdout, "a");
    output.sendStatus({ kind: "exited", code: 3 });
    await write(stderr, "from a job");
    stdout.drop();
    stderr.drop();
    for (const turn of turns) turn();
    expect(pieces).toEqual(["1 a", '3 {"kind":"exited","code":3}', "2 from a job", "end"]);
  });

  it("keeps what was written when the writer uses its buffer again", async () => {
    const { stdout, stream, turns } = openOutput({ endsTurns: false });
    const pieces = collect(stream);
    const buffer = new TextEncoder().encode("abc");
    await stdout.write(buffer, new TestWaiter());
    buffer.fill(0);
    turns[0]?.();
    expect(pieces).toEqual(["1 abc"]);
  });

  it("has no more under way than the window, and what its pipe holds", async () => {
    const { stdout, stream } = openOutput();
    const writing = stdout.write(new Uint8Array(3 * STREAM_WINDOW_BYTES), new TestWaiter());
    expect(await outcome(writing)).toBe("waits");
    expect(stream.incoming.receivedBytes).toBeLessThanOrEqual(STREAM_WINDOW_BYTES);
    expect(stream.incoming.receivedBytes).toBeGreaterThan(STREAM_WINDOW_BYTES - 4096);
    collect(stream);
    expect(await writing).toBe(3 * STREAM_WINDOW_BYTES);
    expect(stream.incoming.receivedBytes).toBe(3 * STREAM_WINDOW_BYTES);
  });
});

function openInput(): { readonly input: CommandInput; readonly stream: Stream } {
  const { server, cell } = linkStreams();
  const stream = server.open();
  const parts = { ino: 8, nowMs: 0, capacityBytes: CAPACITY_BYTES };
  const input = new CommandInput(cell.accept(stream.id).incoming, parts);
  input.file.retain();
  return { input, stream };
}

describe("CommandInput", () => {
  it("tells the server when nobody can read any more", () => {
    const { input, stream } = openInput();
    expect(stream.outgoing.isStopped).toBe(false);
    input.file.drop();
    expect(stream.outgoing.isStopped).toBe(true);
  });

  it("is an ordinary pipe: it tells how much can be read", async () => {
    const { input, stream } = openInput();
    stream.outgoing.send(new Uint8Array(300));
    const nobody = {} as Process;
    expect(await input.file.ioctl({ request: "FIONREAD" }, nobody)).toBe(300);
  });

  it("is demanded once a reader waits for more than has come", async () => {
    const { input, stream } = openInput();
    stream.outgoing.send(Uint8Array.of(1, 2));
    const demand = input.demand();
    expect(await outcome(demand)).toBe("waits");
    await input.file.read(new Uint8Array(5), new TestWaiter());
    expect(await outcome(demand)).toBe("waits");
    const reading = input.file.read(new Uint8Array(5), new TestWaiter());
    await demand;
    stream.outgoing.send(Uint8Array.of(3));
    expect(await reading).toBe(1);
    expect(await outcome(input.demand())).toBe("waits");
  });

  it("is demanded when it has ended, and when nobody can read it", async () => {
    const { input, stream } = openInput();
    const ended = input.demand();
    stream.outgoing.end();
    await ended;
    const other = openInput().input;
    const left = other.demand();
    other.file.drop();
    await left;
  });
});

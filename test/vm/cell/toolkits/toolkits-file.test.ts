import { describe, expect, it } from "vitest";
import { POLLIN, POLLOUT } from "../../../../src/kernel/index.ts";
import { STREAM_WINDOW_BYTES } from "../../../../src/streams/index.ts";
import { eventTags } from "../../../../src/vm/wire/messages.ts";
import { outcome, settle } from "../../../support/waiter.ts";
import { callOf, result, ToolkitsOnAWire } from "./toolkits-on-a-wire.ts";

const O_RDWR = 2;
const O_NONBLOCK = 0o4000;

describe("ToolkitsFile", () => {
  it("makes one request of a quick call, and says who calls without the words of the command", async () => {
    const wire = new ToolkitsOnAWire();
    const file = wire.open();
    const line = callOf(5, { a: "ü" });
    expect(await wire.write(file, line)).toBe(JSON.stringify(line).length + 2);
    expect(wire.sent).toEqual([
      {
        id: 1,
        method: "toolkit.open",
        params: {
          stream: 2,
          bytes: Buffer.byteLength(JSON.stringify(line)),
          id: 5,
          pid: 42,
          command: "agentos-demo echo",
          audited: 7,
        },
        body: JSON.stringify(line),
      },
    ]);
    const read = wire.read(file);
    await wire.reply(wire.sent[0], result(5), true);
    expect(await read).toBe(result(5));
    expect(wire.sent).toHaveLength(1);
  });

  it("takes a request in pieces, and several in one write", async () => {
    const wire = new ToolkitsOnAWire();
    const file = wire.open();
    const bytes = new TextEncoder().encode(`${JSON.stringify(callOf(1))}\n\n \r\n`);
    for (const byte of bytes) expect(await file.write(Uint8Array.of(byte), wire.caller)).toBe(1);
    await wire.write(file, callOf(2), callOf(3));
    expect(wire.of("toolkit.open").map(({ body }) => JSON.parse(body).id)).toEqual([1, 2, 3]);
    expect(wire.limits.used("maxToolRequestBytes")).toBe(0);
  });

  it("lets more of a call come only when what came has been read", async () => {
    const wire = new ToolkitsOnAWire();
    const file = wire.open();
    await wire.write(file, callOf(1));
    await wire.answer(wire.sent[0]);
    const outgoing = wire.streams.get(wire.sent[0]?.params.stream ?? 0)?.outgoing;
    const line = new Uint8Array(2 * STREAM_WINDOW_BYTES).fill(0x20);
    line[line.length - 1] = 0x0a;
    const sending = outgoing?.write(line, eventTags.last);
    expect(await outcome(sending ?? Promise.resolve())).toBe("waits");
    let read = 0;
    while (read < line.length) read += (await wire.read(file)).length;
    await sending;
    expect(read).toBe(line.length);
  });

  it("finishes the line of one call before it gives another's", async () => {
    const wire = new ToolkitsOnAWire();
    const file = wire.open();
    await wire.write(file, callOf(1), callOf(2));
    const [one, two] = wire.of("toolkit.open");
    await wire.reply(one, result(1).slice(0, 20), false);
    expect(await wire.read(file, 8)).toBe(result(1).slice(0, 8));
    await wire.reply(two, result(2), true);
    expect(await wire.read(file)).toBe(result(1).slice(8, 20));
    const read = wire.read(file);
    expect(await outcome(read)).toBe("waits");
    await wire.sendMore(one, result(1).slice(20), true);
    expect(await read).toBe(`${result(1).slice(20)}${result(2)}`);
  });

  it.each([
    ["garbage", 0, "The request is no JSON."],
    ["[]", 0, "A request is an object."],
    ["null", 0, "A request is an object."],
    ['{"op":"list"}', 0, 'A request has an "id", a whole number from 1 up.'],
    ['{"id":1.5,"op":"list"}', 0, 'A request has an "id", a whole number from 1 up.'],
    ['{"id":3,"op":"run"}', 3, 'A request\'s "op" is call, cancel, list, describe or search.'],
    ['{"id":3,"op":"call","toolkit":"a"}', 3, 'call takes a "toolkit" and a "tool".'],
    [`{"id":3,"op":"describe","toolkit":"${"a".repeat(256)}"}`, 3, 'describe takes a "toolkit".'],
    ['{"id":3,"op":"search","query":""', 0, "The request is no JSON."],
    ['{"id":3,"op":"search","query":"a","limit":1000}', 3, 'search takes a "limit" from 1 to 100.'],
  ])("answers %s, which is no request, with what is wrong", async (line, id, message) => {
    const wire = new ToolkitsOnAWire();
    const file = wire.open();
    await wire.write(file, line);
    expect(JSON.parse(await wire.read(file))).toEqual({
      id,
      type: "error",
      code: "usage",
      message,
    });
    expect(wire.sent).toEqual([]);
  });

  it("refuses an id that is in use, and lets it be used again after the call", async () => {
    const wire = new ToolkitsOnAWire();
    const file = wire.open();
    await wire.write(file, callOf(1), callOf(1));
    expect(JSON.parse(await wire.read(file))).toMatchObject({
      id: 0,
      message: "The id 1 is in use.",
    });
    await wire.reply(wire.sent[0], result(1), true);
    await wire.read(file);
    await wire.write(file, callOf(1));
    expect(wire.of("toolkit.open")).toHaveLength(2);
  });

  it("waits as a terminal does: EAGAIN with O_NONBLOCK, EINTR at a signal, poll tells", async () => {
    const wire = new ToolkitsOnAWire();
    const waiting = wire.open();
    const read = wire.read(waiting);
    expect(await outcome(read)).toBe("waits");
    wire.caller.interrupt();
    expect(await outcome(read)).toMatchObject({ error: { errno: "EINTR" } });
    const file = wire.open(O_RDWR | O_NONBLOCK);
    await expect(wire.read(file)).rejects.toMatchObject({ errno: "EAGAIN" });
    expect(file.poll()).toBe(POLLOUT);
    await wire.write(file, callOf(1));
    let changes = 0;
    file.changed.add(() => {
      changes += 1;
    });
    await wire.reply(wire.sent[0], result(1), true);
    expect([file.poll(), changes]).toEqual([POLLIN | POLLOUT, 1]);
  });

  it("lets writers wait while 64 requests of a device are open", async () => {
    const wire = new ToolkitsOnAWire();
    const file = wire.open();
    const requests = Array.from({ length: 65 }, (_, id) => callOf(id + 1));
    const written = wire.write(file, ...requests);
    expect(await outcome(written)).toBe("waits");
    expect([wire.sent.length, file.poll()]).toEqual([64, 0]);
    const other = wire.open(O_RDWR | O_NONBLOCK);
    await wire.write(file, { id: 9, op: "cancel" });
    expect(wire.of("toolkit.cancel")).toHaveLength(1);
    await wire.reply(wire.sent[3], result(4), true);
    await wire.read(file);
    expect(await outcome(written)).toBeGreaterThan(65 * 50);
    expect(wire.of("toolkit.open")).toHaveLength(65);
    const bytes = new TextEncoder().encode(
      `${requests.map((one) => JSON.stringify(one)).join("\n")}\n`,
    );
    const taken = await other.write(bytes, wire.caller);
    expect(taken).toBeLessThan(bytes.length);
    await expect(other.write(bytes.subarray(taken), wire.caller)).rejects.toMatchObject({
      errno: "EAGAIN",
    });
  });

  it("cancels a call, and those of a device that is closed", async () => {
    const wire = new ToolkitsOnAWire();
    const file = wire.open();
    await wire.write(file, callOf(1), callOf(2), { id: 2, op: "cancel" }, { id: 9, op: "cancel" });
    expect(wire.of("toolkit.cancel").map(({ params }) => params)).toEqual([{ stream: 4 }]);
    file.drop();
    await expect
      .poll(() => wire.of("toolkit.cancel").map(({ params }) => params))
      .toEqual([{ stream: 4 }, { stream: 2 }]);
    const [one, two] = wire.of("toolkit.open");
    await wire.reply(one, "part of a li", false);
    await wire.reply(two, result(2), true);
    await wire.sendMore(one, "ne\n", true);
  });

  it("says that the host refused a call", async () => {
    const wire = new ToolkitsOnAWire();
    const file = wire.open();
    await wire.write(file, callOf(1));
    await wire.refuse(wire.sent[0]);
    expect(JSON.parse(await wire.read(file))).toEqual({
      id: 1,
      type: "error",
      code: "failed",
      message: "The host refused the call (EIO).",
    });
  });

  it("keeps a description until it is told of a change, also while it is on its way", async () => {
    const wire = new ToolkitsOnAWire();
    const file = wire.open();
    const describeDemo = async (id: number): Promise<void> => {
      await wire.write(file, { id, op: "describe", toolkit: "demo" });
    };
    await describeDemo(1);
    wire.descriptions.forget("demo");
    await wire.reply(wire.of("toolkit.open")[0], result(1, "old"), true);
    await wire.read(file);
    await describeDemo(20);
    await wire.reply(wire.of("toolkit.open")[1], result(20, "new").slice(0, 9), false);
    expect(await wire.read(file)).toBe(result(20, "new").slice(0, 9));
    await wire.sendMore(wire.of("toolkit.open")[1], result(20, "new").slice(9), true);
    await wire.read(file);
    await describeDemo(345);
    expect(await wire.read(file)).toBe(result(345, "new"));
    expect(wire.of("toolkit.open")).toHaveLength(2);
    wire.descriptions.forget("demo");
    await describeDemo(4);
    expect(wire.of("toolkit.open")).toHaveLength(3);
    await wire.reply(wire.of("toolkit.open")[2], '{"id":4,"type":"error"}\n', true);
    await wire.read(file);
    await describeDemo(5);
    expect(wire.of("toolkit.open")).toHaveLength(4);
    await settle();
  });
});

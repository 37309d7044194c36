import { describe, expect, it } from "vitest";
import { REQUEST_LIMIT_BYTES } from "../../../../src/toolkit-cli/index.ts";
import { CHUNK_BYTES } from "../../../../src/vm/wire/messages.ts";
import { settle } from "../../../support/waiter.ts";
import { callOf, result, ToolkitsOnAWire } from "./toolkits-on-a-wire.ts";

describe("ToolCalls", () => {
  it("has no more calls under way than maxToolCalls: the others wait", async () => {
    const wire = new ToolkitsOnAWire({ maxToolCalls: 2 });
    const files = [wire.open(), wire.open()];
    for (const file of files) await wire.write(file, callOf(1), callOf(2));
    expect(wire.sent).toHaveLength(2);
    await wire.reply(wire.sent[0], result(1), true);
    expect(wire.sent).toHaveLength(3);
    await wire.refuse(wire.sent[1]);
    expect(wire.sent.map(({ body }) => JSON.parse(body).id)).toEqual([1, 2, 1, 2]);
  });

  it("gives up a call that waits without telling the server", async () => {
    const wire = new ToolkitsOnAWire({ maxToolCalls: 1 });
    const file = wire.open();
    await wire.write(file, callOf(1), callOf(2), callOf(3), { id: 2, op: "cancel" });
    await wire.reply(wire.sent[0], result(1), true);
    expect(wire.sent.map(({ method }) => method)).toEqual(["toolkit.open", "toolkit.open"]);
    const read = await wire.read(file);
    expect(read).toContain('{"id":2,"type":"error","code":"cancelled"');
    expect(wire.limits.used("maxToolRequestBytes")).toBe(0);
  });

  it("fails requests that would hold more than maxToolRequestBytes", async () => {
    const wire = new ToolkitsOnAWire({ maxToolCalls: 1, maxToolRequestBytes: 2000 });
    const file = wire.open();
    await wire.write(
      file,
      callOf(1),
      callOf(2),
      callOf(3, "a".repeat(500)),
      callOf(4, "b".repeat(500)),
    );
    expect(JSON.parse(await wire.read(file))).toMatchObject({
      id: 4,
      type: "error",
      code: "failed",
    });
    const other = wire.open();
    await expect(other.write(new Uint8Array(1500).fill(0x61), wire.caller)).rejects.toMatchObject({
      errno: "ENOBUFS",
    });
    file.drop();
    await wire.reply(wire.sent[0], result(1), true);
    expect(wire.limits.used("maxToolRequestBytes")).toBe(0);
  });

  it("sends what a body has no room for by the stream, as it is asked for", async () => {
    const wire = new ToolkitsOnAWire();
    const file = wire.open();
    const long = "x".repeat(2 * CHUNK_BYTES);
    await wire.write(file, callOf(1, long));
    const [request] = wire.sent;
    const incoming = wire.streams.get(request?.params.stream ?? 0)?.incoming;
    const line = JSON.stringify(callOf(1, long));
    let received = request?.body ?? "";
    expect(received.length).toBe(CHUNK_BYTES);
    while (received.length < line.length) {
      received += new TextDecoder().decode(await incoming?.next());
    }
    expect(received).toBe(line);
    await settle();
    expect(wire.limits.used("maxToolRequestBytes")).toBe(0);
  });

  it("refuses a request that is too long, and goes on after it", async () => {
    const wire = new ToolkitsOnAWire();
    const file = wire.open();
    const part = new Uint8Array(1 << 20).fill(0x20);
    for (let written = 0; written <= REQUEST_LIMIT_BYTES; written += part.length) {
      await file.write(part, wire.caller);
    }
    expect(wire.limits.used("maxToolRequestBytes")).toBe(0);
    await wire.write(file, "", callOf(1));
    await settle();
    expect(JSON.parse(await wire.read(file))).toMatchObject({
      id: 0,
      message: "The request is too long.",
    });
    expect(wire.of("toolkit.open")).toHaveLength(1);
  });
});

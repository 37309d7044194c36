// A cell that has been taken over and sends valid frames as fast as it can, of the kind that its first argument names. It
// says how many it has sent in the status that its command ends with.
import { Socket } from "node:net";
import { type StreamFrame, StreamTable } from "../../src/streams/index.ts";
import { enterJail } from "../../src/vm/cell/jail/enter-jail.ts";
import { readJailOptions } from "../../src/vm/confinement/jail-options.ts";
import { encodeFrame, FrameReader } from "../../src/vm/wire/frame.ts";

enterJail(readJailOptions(process.argv));
const [, , , kind = "", count = "0"] = process.argv;
const wire = new Socket({ fd: 3, readable: true, writable: true });
const reader = new FrameReader();
const say = (header: Record<string, unknown>, body?: Uint8Array): boolean =>
  wire.write(encodeFrame(header, body));
const link = { send: say, sendFirst: (frame: StreamFrame) => void say(frame), hasRoom: () => true };
const streams = new StreamTable({ ...link, send: (frame, body) => void say(frame, body) }, 2);
say({ type: "ready" });
wire.on("data", (chunk: Buffer) => {
  for (const { header, body } of reader.push(Uint8Array.from(chunk))) {
    if (header["type"] === "call") answer(Number(header["id"]), String(header["method"]));
    else if ("stream" in header) streams.receive(header as unknown as StreamFrame, body);
  }
});

const question = { pid: 1, command: "", scope: "fs", operation: "read", subject: "/" };
const warning = { limit: "maxProcesses", observed: 9, capacity: 10, fillPercent: 90 };
const frames: Readonly<Record<string, Record<string, unknown>>> = {
  notices: { type: "notice", sid: 7, text: "Killed process 9 (yes)" },
  logs: { type: "log", level: "warning", message: "x" },
  "ended questions": { type: "askEnded", ask: 1 },
  "stopped streams": { type: "stop", stream: 1 },
  "ready again": { type: "ready" },
  warnings: { type: "limit", warning },
  "empty output": { type: "data", stream: 1, tag: 1 },
  "events of no watch": { type: "watchEvents", watch: 9, events: [] },
  questions: { type: "ask", ask: 1, request: question },
};

function answer(id: number, method: string): void {
  say({ type: "result", id, value: method === "exec" ? { pid: 7 } : {} });
  if (method !== "exec") return;
  if (kind === "output of one byte") sendBytes();
  else sendAgain(Number(count));
}

/** As fast as the wire takes them. */
function sendAgain(left: number): void {
  const frame = encodeFrame(frames[kind] ?? {});
  const batch = Buffer.concat(Array.from({ length: 500 }, () => frame));
  let sent = 0;
  const go = (): void => {
    while (sent < left) {
      sent += 500;
      if (!wire.write(batch)) return void wire.once("drain", go);
    }
    finish();
  };
  go();
}

/** As the server grants. */
function sendBytes(): void {
  const { outgoing } = streams.accept(1);
  let left = Number(count);
  const go = (): void => {
    while (left > 0 && outgoing.send(Uint8Array.of(120), 1) === 1) left -= 1;
    if (left === 0) finish();
  };
  outgoing.onRoom = go;
  go();
}

function finish(): void {
  const status = new TextEncoder().encode('{"kind":"exited","code":0}');
  say({ type: "data", stream: 1, tag: 3, isLast: true }, status);
}

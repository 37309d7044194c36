// A cell taken over by its guest: it says it is ready and then breaks the wire's rules in one way,
// named by its first argument. With "tells-calls" it breaks none, and logs what it is asked.
import { Socket } from "node:net";
import { enterJail } from "../../../src/vm/cell/jail/enter-jail.ts";
import { readJailOptions } from "../../../src/vm/confinement/jail-options.ts";
import { encodeFrame } from "../../../src/vm/wire/frame.ts";

enterJail(readJailOptions(process.argv));
const lie = process.argv[3];
const wire = new Socket({ fd: 3, readable: true, writable: true });
const say = (header: Record<string, unknown>, body?: Uint8Array): void => {
  wire.write(encodeFrame(header, body));
};
/** What the lists hold that never end. */
const long = "x".repeat(255);
const one = {
  pid: 7,
  ppid: 1,
  pgid: 7,
  sid: 7,
  uid: 1000,
  state: "running",
  command: "sh",
  startedMs: 0,
};
say({ type: "ready" });
let seen = Buffer.alloc(0);
wire.on("data", (chunk: Buffer) => {
  seen = Buffer.concat([seen, chunk]);
  for (const [, id, method] of seen.toString("latin1").matchAll(/"id":(\d+),"method":"(\w+)"/g)) {
    answer(Number(id), method ?? "");
  }
  seen = Buffer.alloc(0);
});

function answer(id: number, method: string): void {
  if (method === "readdir") {
    const entries = Array.from({ length: 400 }, () => ({ name: long, kind: "file", ino: 1 }));
    return say({ type: "result", id, value: { entries, isEnd: false } });
  }
  if (method === "processes")
    return say({ type: "result", id, value: { processes: [one], isEnd: false } });
  if (lie === "tells-calls") process.stderr.write(`asked: ${method}\n`);
  if (method !== "exec") return say({ type: "result", id, value: {} });
  if (lie === "wrong-result") return say({ type: "result", id, value: { pid: "one" } });
  if (lie === "no-call") return say({ type: "result", id: id + 1, value: { pid: 7 } });
  if (lie === "no-message") return say({ type: "nonsense" });
  if (lie === "huge-frame") {
    wire.write(Uint8Array.of(0xff, 0xff, 0xff, 0x7f, 1, 0, 0, 0));
    return undefined;
  }
  if (lie === "leaving-path") return ask(1, "../../etc/passwd");
  if (lie === "no-request") return say({ type: "request", id: 1, method: "eval", params: {} });
  if (lie === "request-flood") {
    for (let i = 0; i < 1000; i++) ask(i, "a");
    return undefined;
  }
  if (lie === "no-tool-request") return openTool(1, "{}");
  if (lie === "long-tool-request") return openTool(1, " ".repeat(1 << 19));
  if (lie === "endless-tool-request") return openTool(1, "{}", 2 ** 40);
  if (lie === "stream-twice") {
    // In one write: the first must not be over when the second comes.
    wire.cork();
    openTool(1, list(1));
    openTool(2, list(2), list(2).length, 2);
    wire.uncork();
    return undefined;
  }
  if (lie === "stream-of-server") return openTool(1, list(1), list(1).length, 3);
  if (lie === "unasked-request") {
    openTool(1, "{", 1 << 19);
    return say({ type: "data", stream: 2, tag: 0 }, new Uint8Array(1 << 19));
  }
  if (lie === "tool-flood") {
    for (let i = 1; i < 1000; i++) openTool(i, list(i));
    return undefined;
  }
  const command = commandLies.get(lie ?? "");
  if (command !== undefined) return command();
  say({ type: "result", id, value: { pid: 7 } });
  floods.get(lie ?? "")?.();
  if (lie === "flood") {
    for (let i = 0; i < 40; i++) say({ type: "data", stream: 1, tag: 1 }, new Uint8Array(1 << 18));
  }
  return undefined;
}

/** What costs a cell nothing and the server something, again and again. The command's stream is 1. */
const FLOOD = 20_000;
const flood = (header: Record<string, unknown>, body?: Uint8Array) => () => {
  const frame = encodeFrame(header, body);
  wire.write(Buffer.concat(Array.from({ length: FLOOD }, () => frame)));
};
const warning = { limit: "maxProcesses", observed: 9, capacity: 10, fillPercent: 90 };
const question = { pid: 1, command: "", scope: "fs", operation: "read", subject: "/" };
const event = { type: "modify", path: "/a", isDirectory: false };
const floods = new Map<string, () => void>([
  ["empty-output", flood({ type: "data", stream: 1, tag: 1 })],
  ["no-stream", flood({ type: "data", stream: 99, tag: 1 }, Uint8Array.of(1))],
  ["no-stream-of-its-own", flood({ type: "stop", stream: 98 })],
  ["ready-again", flood({ type: "ready" })],
  ["no-watch", flood({ type: "watchEvents", watch: 1, events: [event] })],
  ["limit-flood", flood({ type: "limit", warning })],
  ["credit-flood", flood({ type: "credit", stream: 1, bytes: 1 })],
  ["no-credit", flood({ type: "credit", stream: 1, bytes: 0 })],
  ["ask-again", flood({ type: "ask", ask: 1, request: question })],
  [
    "more-after-the-end",
    flood({ type: "data", stream: 1, tag: 1, isLast: true }, Uint8Array.of(1)),
  ],
  ["end-flood", flood({ type: "end", stream: 1 })],
  [
    "ask-flood",
    () => {
      for (let at = 1; at <= 100; at++) say({ type: "ask", ask: at, request: question });
    },
  ],
]);

const commandLies = new Map<string, () => void>([
  ["no-command-start", () => startCommand(1, "/\0hang")],
  ["long-command-start", () => startCommand(1, "/\0hang\0", 2 ** 40)],
  [
    "unwanted-input",
    () => {
      startCommand(1, "/\0hang\0");
      say({ type: "data", stream: 2, tag: 0 }, new Uint8Array(1));
    },
  ],
  [
    "no-signal",
    () => {
      startCommand(1, "/\0hang\0");
      request(2, "command.tell", { stream: 2, news: { type: "signal", signal: "SIGX" } });
    },
  ],
  [
    "command-flood",
    () => {
      for (let run = 1; run < 100; run++) startCommand(run, "/\0hang\0");
    },
  ],
]);

/** The stream of the nth request is the nth that a cell of ours would open. */
function startCommand(nth: number, texts: string, bytes = texts.length): void {
  const params = { stream: 2 * nth, bytes, name: "hang", pid: 1, words: 1 };
  request(nth, "command.start", params, new TextEncoder().encode(texts));
}

const list = (id: number): string => `{"id":${id},"op":"list"}`;

function ask(id: number, name: string): void {
  const params = { mount: 0, request: { call: "lookup", at: { node: 0, name } } };
  request(id, "mount.call", params);
}

function openTool(nth: number, line: string, bytes = line.length, stream = 2 * nth): void {
  const params = { stream, bytes, id: nth, pid: 1, command: "", audited: 0 };
  request(nth, "toolkit.open", params, new TextEncoder().encode(line));
}

function request(id: number, method: string, params: object, body?: Uint8Array): void {
  say({ type: "request", id, method, params }, body);
}

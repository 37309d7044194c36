// Input as nobody should send it, through the library, the command line and MCP: nothing is lost, nothing hangs.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vm, Vms } from "../../src/vm/index.ts";
import { built } from "../support/built-vms.ts";
import { InstalledServer } from "./installed-server.ts";
import { connectModern, type McpClient } from "./mcp-clients.ts";

const HUNDRED_MEGABYTES = 100_000_000;
const GIGABYTE = 2 ** 30;
const ONE_LINE = 'read -r line; echo "[$line]"';
const LINES = 'while read -r line; do echo "[$line]"; done';

/** One short line, then a flood. */
function makeFlood(): Buffer {
  const flood = Buffer.alloc(HUNDRED_MEGABYTES, "x");
  flood.write("first\n");
  return flood;
}

describe("through the library", () => {
  let vms: Vms;
  let vm: Vm;
  beforeAll(async () => {
    vms = new built.Vms();
    vm = await vms.create();
  });
  afterAll(() => vms.close());

  it("gives a reader of one line its line, whatever follows", async () => {
    expect(await vm.exec(ONE_LINE, { stdin: makeFlood() })).toMatchObject({
      exitCode: 0,
      stdout: "[first]\n",
    });
  });

  it("stops a source without an end when its reader leaves", async () => {
    let isStopped = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.from("again\n".repeat(1000));
      } finally {
        isStopped = true;
      }
    }
    const { stdout } = await vm.exec("head -n 2", { stdin: endless() });
    expect(stdout).toBe("again\nagain\n");
    await expect.poll(() => isStopped).toBe(true);
  });

  it("keeps every line that comes byte by byte", async () => {
    const lines = Array.from({ length: 200 }, (_, at) => `line ${at}\n`).join("");
    async function* bytes(): AsyncGenerator<Uint8Array> {
      for (const byte of Buffer.from(lines)) yield Uint8Array.of(byte);
    }
    const { stdout } = await vm.exec(LINES, { stdin: bytes() });
    expect(stdout).toBe(lines.replace(/^(.*)$/gm, (line) => (line === "" ? "" : `[${line}]`)));
  });

  it("ends a reader whose input never ends by its time limit", async () => {
    const never = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from("first\n")),
    });
    const { stdout, timedOut } = await vm.exec("cat", { stdin: never.values(), timeoutMs: 300 });
    expect([stdout, timedOut]).toEqual(["first\n", true]);
  });

  it("carries a gigabyte of a terminal's output", async () => {
    let bytes = 0;
    const exec = await vm.spawn(`head -c ${GIGABYTE} /dev/zero`, {
      pty: { cols: 80, rows: 24 },
      onOutput: (_stream, part) => {
        bytes += part.length;
      },
    });
    await exec.wait();
    expect([exec.status(), bytes]).toEqual([{ state: "exited", exitCode: 0 }, GIGABYTE]);
  }, 240_000);
});

describe("through the command line", () => {
  let server: InstalledServer;
  beforeAll(() => {
    server = InstalledServer.install();
  });
  afterAll(() => server.remove());

  async function feed(line: string, input: Iterable<Buffer>): Promise<[string, number | null]> {
    const { command, args, cwd, env } = server.command;
    const child = spawn(command, [...args, "exec", "--", line], {
      cwd,
      env,
      stdio: ["pipe", "pipe", "ignore"],
    });
    // Its reader may leave first.
    child.stdin.on("error", () => undefined);
    const isOver = once(child, "close") as Promise<[number | null]>;
    const printed = text(child.stdout);
    for (const part of input) {
      if (child.exitCode !== null || !child.stdin.writable) break;
      const drained = new Promise((resolve) => child.stdin.once("drain", resolve));
      if (!child.stdin.write(part)) await Promise.race([drained, isOver]);
    }
    child.stdin.end();
    const [status] = await isOver;
    return [await printed, status];
  }

  it("gives a reader of one line its line, whatever follows", async () => {
    expect(await feed(ONE_LINE, [makeFlood()])).toEqual(["[first]\n", 0]);
  });

  it("ends when its reader leaves, though its input never would", async () => {
    function* endless(): Generator<Buffer> {
      for (;;) yield Buffer.from("again\n".repeat(10_000));
    }
    expect(await feed("head -n 2", endless())).toEqual(["again\nagain\n", 0]);
  });

  it("keeps every line that comes byte by byte", async () => {
    const bytes = [...Buffer.from("one\ntwo\n\nthree")].map((byte) => Buffer.from([byte]));
    expect(await feed(`${LINES}; echo "$line"`, bytes)).toEqual(["[one]\n[two]\n[]\nthree\n", 0]);
  });
});

describe("over MCP", () => {
  let server: InstalledServer;
  let client: McpClient;
  beforeAll(async () => {
    server = InstalledServer.install();
    client = await connectModern(server.command);
  });
  afterAll(async () => {
    await client.close();
    await server.remove();
  });

  async function call(tool: string, input: object): Promise<Record<string, unknown>> {
    const { structuredContent, content } = await client.call(tool, input);
    if (structuredContent === undefined) throw new Error(JSON.stringify(content));
    return structuredContent;
  }

  it("keeps every line that comes byte by byte", async () => {
    const { exec_id } = await call("vm_exec", { command: LINES, interactive: true, yield_ms: 0 });
    let printed = "";
    for (const stdin of "one\ntwo\n") {
      printed += String((await call("vm_exec_io", { exec_id, stdin }))["stdout"]);
    }
    const last = await call("vm_exec_io", { exec_id, close_stdin: true });
    expect([printed + String(last["stdout"]), last["status"]]).toEqual([
      "[one]\n[two]\n",
      "exited",
    ]);
  });

  it("gives a reader of one line its line, whatever follows", async () => {
    const stdin = `first\n${"x".repeat(4_000_000)}`;
    expect(await call("vm_exec", { command: ONE_LINE, stdin })).toMatchObject({
      status: "exited",
      stdout: "[first]\n",
    });
  });

  it("answers while a command waits for input that never comes, and ends it when told", async () => {
    const started = await call("vm_exec", { command: "cat", interactive: true, yield_ms: 100 });
    expect(started).toMatchObject({ status: "running", stdout: "" });
    const { exec_id } = started;
    expect(await call("vm_exec_io", { exec_id, signal: "TERM" })).toMatchObject({
      status: "killed",
      signal: "SIGTERM",
    });
  });
});

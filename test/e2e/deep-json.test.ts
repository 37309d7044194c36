// Lines that are small to send and large to parse (issue 14, finding 13): refused before they are parsed.
import { spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { InstalledServer } from "./installed-server.ts";

let server: InstalledServer;
beforeAll(() => {
  server = InstalledServer.install();
});
afterAll(() => server.remove());

interface Answer {
  readonly id: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: unknown;
}

/** What a client is answered that sends these lines, as many as there are. */
async function answersTo(lines: readonly string[]): Promise<Answer[]> {
  const { command, args, cwd, env } = server.command;
  const shim = spawn(command, args, { cwd, env });
  let said = "";
  shim.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  for (const line of lines) shim.stdin.write(`${line}\n`);
  await eventually("all is answered", () => said.split("\n").length > lines.length);
  shim.stdin.end();
  return said
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
}

const params = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "x", version: "1" },
};
const initialize = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
const ping = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });
const MANY = 62_000_000;

describe("a client that sends", () => {
  it("62 MB of brackets, three times, is told the limit, and is answered what it asks", async () => {
    const deep = "[".repeat(MANY);
    const answers = await answersTo([initialize, deep, deep, deep, ping]);
    const refused = {
      id: null,
      error: {
        code: -32600,
        message: "The message is too much. It is nested deeper than 200 levels.",
      },
    };
    expect(answers.slice(1)).toMatchObject([refused, refused, refused, { id: 2, result: {} }]);
  });

  it("a request with too deep or too many values is answered by its id", async () => {
    const call = (id: string, value: string): string =>
      `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"vm_list","arguments":{"a":${value}}}}`;
    const half = MANY / 4;
    const answers = await answersTo([
      initialize,
      call("deep", `${"[".repeat(half)}${"]".repeat(half)}`),
      call("wide", `[${"[],".repeat(1_000_001)}0]`),
      call("text", JSON.stringify('[{\\"'.repeat(100_000))),
    ]);
    expect(answers.slice(1)).toMatchObject([
      { id: "deep", error: { message: expect.stringContaining("deeper than 200 levels") } },
      { id: "wide", error: { message: expect.stringContaining("more than 2000000 values") } },
      { id: "text", result: { isError: true } },
    ]);
  });
});

describe("a guest that sends", () => {
  it("a tool's call that is nested too deeply learns so, and its VM goes on", async () => {
    const script = [
      "const fs = require('fs');",
      "const deep = n => '['.repeat(n) + ']'.repeat(n);",
      "const fd = fs.openSync('/dev/toolkits', 'r+');",
      `fs.writeSync(fd, '{"id":1,"op":"call","toolkit":"a","tool":"b","input":' + deep(100000) + '}\\n');`,
      "const b = Buffer.alloc(4096); console.log(b.toString('utf8', 0, fs.readSync(fd, b)));",
    ].join("");
    const { stdout } = await server.run([
      "exec",
      "--",
      `node -e "${script.replaceAll('"', '\\"')}"`,
    ]);
    expect(stdout.toString()).toContain("nested deeper than 200 levels");
    expect((await server.run(["exec", "--", "echo on"])).stdout.toString()).toBe("on\n");
  });
});

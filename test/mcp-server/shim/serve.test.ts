import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { type Installation, install } from "../support/installation.ts";
import { TestHome } from "../support/test-home.ts";

let installation: Installation;
let home: TestHome;
beforeAll(() => {
  installation = install();
});
afterAll(() => installation.remove());
beforeEach(() => {
  home = new TestHome();
});
afterEach(() => home.close());

describe("agentos-mcp, typed into a terminal", () => {
  it("says on stderr what it is and what to paste, and serves on stdout all the same", async () => {
    const out = join(home.directory, "out");
    const err = join(home.directory, "err");
    const read = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
    const command = `exec '${process.execPath}' '${installation.binFile}' >'${out}' 2>'${err}'`;
    const terminal = spawn("script", ["-qec", command, "/dev/null"], {
      env: home.env,
      stdio: ["pipe", "ignore", "ignore"],
    });
    await eventually("it waits for messages", () => read(err).includes("Ctrl-C"));
    terminal.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await eventually("it answers", () => read(out).endsWith("\n"));
    terminal.stdin.write("\u0003");
    await once(terminal, "exit");
    const configuration = {
      mcpServers: { agentos: { command: process.execPath, args: [installation.binFile] } },
    };
    expect(read(err)).toBe(
      [
        "agentos-mcp: This is an MCP server on standard input and output, to be started by an MCP client such as Claude Desktop.",
        "Put this into the client's configuration:",
        "",
        JSON.stringify(configuration, undefined, 2),
        "",
        "Now waiting for MCP messages. Press Ctrl-C to leave; agentos-mcp --help lists commands for people.",
        "",
      ].join("\n"),
    );
    expect(JSON.parse(read(out))).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    expect(home.pids()).toEqual(home.records().map(({ pid }) => pid));
  });
});

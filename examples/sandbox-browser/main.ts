// A page that is written in a VM, drawn by Chromium in its sandbox, and seen by an MCP client.
//
//   node examples/sandbox-browser/main.ts
//
// Each step says what it expects, and fails when something else comes. Needs Linux, bubblewrap and Chromium.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inflateSync } from "node:zlib";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const here = import.meta.dirname;
const scratch = await mkdtemp(join(tmpdir(), "sandbox-browser-"));
const launcher = join(here, "../../bin/agentos-mcp.mjs");
const { PATH = "", HOME = "" } = process.env;
const env = { PATH, HOME, AGENTOS_MCP_HOME: join(scratch, "home") };

const client = new Client({ name: "sandbox-browser", version: "1.0.0" });
const args = [launcher, "--config", join(here, "config.json")];
await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));

try {
  await client.callTool({ name: "vm_create", arguments: { name: "desk" } });

  step("The VM writes a page into the directory that it shares with its sandbox.");
  const content = await readFile(join(here, "page.html"), "utf8");
  await call("fs_write", { path: "/sandbox/page.html", content });

  step("chromium is a command of the VM, and runs in its sandbox.");
  const draw =
    "cd /sandbox && chromium --headless --no-sandbox --disable-gpu --screenshot=page.png --window-size=320,200 page.html 2>log || { tail log; false; }";
  await call("vm_exec", { command: draw, yield_ms: 60_000 });

  step("The client sees the picture.");
  const [picture] = await call("fs_read", { path: "/sandbox/page.png" });
  assert(picture?.type === "image", JSON.stringify(picture));
  assert.equal(picture.mimeType, "image/png");
  assert.deepEqual(lookAt(Buffer.from(picture.data, "base64")), {
    width: 320,
    height: 200,
    corner: [0, 128, 96],
  });

  process.stdout.write("All of it worked.\n");
} finally {
  await client.close();
  await promisify(execFile)(process.execPath, [launcher, "stop", "--yes"], { env });
  await rm(scratch, { recursive: true, force: true });
}

async function call(name: string, given: Record<string, unknown>) {
  const request = { name, arguments: { vm_id: "desk", ...given } };
  const { content, isError, structuredContent } = await client.callTool(request, {
    timeout: 120_000,
  });
  const failed =
    structuredContent !== undefined && /"exit_code":[1-9]/.test(JSON.stringify(structuredContent));
  assert(isError !== true && !failed, JSON.stringify(content));
  return content;
}

/** The size and the first pixel of a PNG: the first row's filter adds nothing to that. */
function lookAt(png: Buffer): { width: number; height: number; corner: number[] } {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const rows = inflateSync(Buffer.concat(parts));
  return {
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
    corner: [...rows.subarray(1, 4)],
  };
}

function step(words: string): void {
  process.stdout.write(`- ${words}\n`);
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { waitUntilGone } from "./mcp-under-test.ts";

const owner = fileURLToPath(new URL("fixtures/leaves-without-closing.ts", import.meta.url));

describe("the processes of MCP servers", () => {
  it.each(["exit", "throw"])("end with the one that started them, by %s", async (how) => {
    const child = spawn(process.execPath, [owner, how], { stdio: ["ignore", "pipe", "ignore"] });
    const [said] = await Promise.all([text(child.stdout), once(child, "exit")]);
    const pids: number[] = JSON.parse(said);
    expect(pids).toHaveLength(2);
    await Promise.all(pids.map(waitUntilGone));
  });
});

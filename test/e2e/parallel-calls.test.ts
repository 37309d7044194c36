// Hundreds of calls of each MCP tool at once, on one VM: each gets an answer that is defined, and the VM and its
// files are there afterwards.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { noSandboxes } from "../mcp-server/sandboxes/station.ts";
import { unless } from "../support/unless.ts";
import { InstalledServer } from "./installed-server.ts";
import { connectModern, type McpClient, type ToolResult } from "./mcp-clients.ts";

const CALLS = 500;
const vm_id = "busy";
const kept = "kept through it all\n";
const maxVms = 6;

let server: InstalledServer;
let client: McpClient;
beforeAll(async () => {
  server = InstalledServer.install({ AGENTOS_MCP_MAX_VMS: String(maxVms) });
  writeFileSync(join(server.home.directory, "config.json"), JSON.stringify({ sandbox: {} }));
  client = await connectModern(server.command);
  await client.call("vm_create", { name: vm_id });
  await client.call("fs_write", { vm_id, path: "kept", content: kept });
});
afterAll(async () => {
  await client.close();
  await server.remove();
});
afterEach(async () => {
  const command = "cat kept; echo $?";
  const { structuredContent } = await client.call("vm_exec", { vm_id, command });
  expect(structuredContent).toMatchObject({ status: "exited", stdout: `${kept}0\n` });
});

async function callAll(name: string, input: (i: number) => object): Promise<ToolResult[]> {
  return await Promise.all(Array.from({ length: CALLS }, (_, i) => client.call(name, input(i))));
}

/** What the calls answered, sorted; of each call that was refused, why. */
function answers(results: readonly ToolResult[], show: (result: ToolResult) => string): string[] {
  const texts = results.map((result) => (result.isError === true ? textOf(result) : show(result)));
  return texts.toSorted();
}

function textOf({ content }: ToolResult): string {
  return content.map(({ text = "" }) => text).join("");
}

const numbers = Array.from({ length: CALLS }, (_, i) => `${i}\n`).toSorted();
const same = (text: string, count = CALLS): string[] => Array<string>(count).fill(text);

describe(`${CALLS} calls at once`, () => {
  it("of vm_list", async () => {
    const results = await callAll("vm_list", () => ({}));
    const vms = results.map(({ structuredContent }) => structuredContent?.["vms"]);
    for (const listed of vms) expect(listed).toMatchObject([{ vm_id, state: "running" }]);
  });

  it("of vm_exec", async () => {
    const results = await callAll("vm_exec", (i) => ({ vm_id, command: `echo ${i}` }));
    expect(answers(results, textOf)).toEqual(numbers);
  });

  it("of vm_exec_io on one command: no line is lost, and none is shown twice", async () => {
    const start = { vm_id, command: "cat", interactive: true, yield_ms: 0 };
    const { exec_id } = (await client.call("vm_exec", start)).structuredContent ?? {};
    const results = await callAll("vm_exec_io", (i) => ({ vm_id, exec_id, stdin: `${i}\n` }));
    const end = await client.call("vm_exec_io", { vm_id, exec_id, close_stdin: true });
    const shown = [...results, end].map(({ structuredContent }) => structuredContent?.["stdout"]);
    expect(
      shown
        .join("")
        .split(/(?<=\n)/)
        .toSorted(),
    ).toEqual(numbers);
    expect(end.structuredContent).toMatchObject({ status: "exited", exit_code: 0 });
  });

  it("of fs_read of a file of a megabyte", async () => {
    const make = "seq 1 1000000 | head -c 1000000 >big";
    await client.call("vm_exec", { vm_id, command: make });
    const one = await client.call("fs_read", { vm_id, path: "big" });
    const results = await callAll("fs_read", () => ({ vm_id, path: "big" }));
    expect(textOf(one).startsWith("1\n2\n3\n")).toBe(true);
    expect(new Set(answers(results, textOf))).toEqual(new Set([textOf(one)]));
  }, 120_000);

  it("of fs_write to one file and to many", async () => {
    const name = (i: number): string => (i % 2 === 0 ? "shared" : `own-${i}`);
    const results = await callAll("fs_write", (i) => ({
      vm_id,
      path: name(i),
      content: `${i}\n`.repeat(1000),
    }));
    expect(results.filter(({ isError }) => isError === true)).toEqual([]);
    const command = "uniq shared | wc -l; cat own-* | uniq | sort -n | tr -d '\\n' | wc -c";
    const { structuredContent } = await client.call("vm_exec", { vm_id, command });
    const odd = Array.from({ length: CALLS }, (_, i) => String(i)).filter((_, i) => i % 2 === 1);
    expect(structuredContent).toMatchObject({ stdout: `1\n${odd.join("").length}\n`, stderr: "" });
  });

  it("of code_run, or as many as get their turn in time", async () => {
    const results = await callAll("code_run", (i) => ({ vm_id, code: `return ${i}` }));
    const refused =
      "16 runs of code are in progress, which is the limit. Wait for one to end, or answer the approvals they wait for.";
    const values = answers(results, (result) => `${textOf(result)}\n`);
    const given = values.filter((text) => text !== refused);
    expect(numbers).toEqual(expect.arrayContaining(given));
    expect(given.length).toBe(new Set(given).size);
    expect(given.length).toBeGreaterThanOrEqual(16);
  }, 120_000);

  it("of toolkit_search", async () => {
    const results = await callAll("toolkit_search", () => ({ query: "sandbox" }));
    expect(new Set(answers(results, textOf)).size).toBe(1);
    expect(results.filter(({ isError }) => isError === true)).toEqual([]);
  });

  it("of sandbox_open: one sandbox is opened", unless(noSandboxes), async () => {
    const results = await callAll("sandbox_open", () => ({ vm_id, reason: "to try it" }));
    const show = ({ structuredContent }: ToolResult): string =>
      String(structuredContent?.["state"]);
    expect(answers(results, show)).toEqual(same("running"));
  });

  it("of vm_create and vm_destroy", async () => {
    const created = await callAll("vm_create", () => ({}));
    const ids = created.flatMap(({ structuredContent }) => structuredContent?.["vm_id"] ?? []);
    expect(new Set(ids).size).toBe(maxVms - 1);
    const limit = `The server has ${maxVms} VMs, which is its limit. Destroy a VM that nobody needs, or raise maxVms in the configuration.`;
    expect(answers(created, () => "made")).toEqual([
      ...same(limit, CALLS - ids.length),
      ...same("made", ids.length),
    ]);
    const destroyed = await callAll("vm_destroy", (i) => ({ vm_id: ids[i % ids.length] }));
    const truths = destroyed.map(({ structuredContent }) => structuredContent?.["destroyed"]);
    expect(truths.filter((isTrue) => isTrue === true).length).toBe(ids.length);
    expect(truths.filter((isTrue) => isTrue === false).length).toBe(CALLS - ids.length);
  }, 120_000);
});

// Tools of toolkits as MCP tools, seen by real clients of both SDKs and both eras.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InstalledServer } from "../../e2e/installed-server.ts";
import { clientKinds } from "../../e2e/mcp-clients.ts";
import { eventually } from "../../support/eventually.ts";
import { runAsPerson } from "../support/person.ts";

const demo = `
import { tool, toolkit } from "agentos-mcp/toolkit";

let removed = 0;
const text = { type: "object", properties: { text: { type: "string", minLength: 2 } }, required: ["text"] };
const sum = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };
const tools = {
  echo: tool({ description: "Says it again.", input: text, readOnly: true, handler: ({ text }) => text }),
  add: tool({
    description: "Adds.",
    input: { type: "object", properties: { a: { type: "number" }, b: { type: "number", default: 1 } }, required: ["a"] },
    output: sum,
    handler: ({ a, b }) => ({ sum: a + b }),
  }),
  list: tool({ description: "Lists.", readOnly: true, handler: () => [1, 2] }),
  remove: tool({ description: "Removes.", input: text, approval: true, handler: () => \`removed \${(removed += 1)}\` }),
  fail: tool({ description: "Fails.", handler: () => { throw new Error("out of order"); } }),
  picture: tool({ description: "Shows.", handler: () => new Response(new Uint8Array([1, 2, 3]), { headers: { "content-type": "image/png" } }) }),
  secret: tool({ description: "Denied.", handler: () => "never" }),
  [\`long-\${"x".repeat(55)}\`]: tool({ description: "Has a long name.", handler: () => "long" }),
  stream: tool({ description: "Streams.", async *handler() { yield "one"; yield { two: 2 }; } }),
};
export const both = toolkit("demo", { description: "For tests.", tools, expose: "both" });
export const fs = toolkit("fs", { description: "Clashes.", tools: { read: tool({ description: "Is another.", handler: () => "mine" }) }, expose: "direct" });
export const hidden = toolkit("hidden", { description: "Commands only.", tools: { x: tool({ description: "x", handler: () => 1 }) } });
`;

let server: InstalledServer;
beforeAll(() => {
  server = InstalledServer.install();
  const { directory } = server.home;
  writeFileSync(join(directory, "demo.mjs"), demo);
  const toolkit = { default: "allow", rules: [{ mode: "deny", patterns: ["demo:secret"] }] };
  const config = { toolkits: { demo: { module: "./demo.mjs" } }, vm: { permissions: { toolkit } } };
  writeFileSync(join(directory, "config.json"), JSON.stringify(config));
});
afterAll(() => server.remove());

const textOf = (result: unknown): string =>
  (result as { content: { text?: string }[] }).content.map(({ text }) => text ?? "").join("\n");

describe.each(clientKinds)("direct tools for %s", (_name, connect) => {
  it("are listed after ours, with their schemas as they are", async () => {
    const client = await connect(server.command);
    const { tools } = await client.listTools();
    const direct = tools.filter(
      ({ name }) => /^(demo|fs|hidden)_/.test(name) && !/^fs_(read|write)$/.test(name),
    );
    expect(direct.map(({ name }) => name)).toEqual([
      "demo_echo",
      "demo_add",
      "demo_list",
      "demo_remove",
      "demo_fail",
      "demo_picture",
      expect.stringMatching(/^demo_long-x+-[0-9a-f]{8}$/),
      "demo_stream",
      expect.stringMatching(/^fs_read-[0-9a-f]{8}$/),
    ]);
    expect(direct.every(({ name }) => name.length <= 64)).toBe(true);
    expect(tools.indexOf(direct[0] ?? { name: "" })).toBeGreaterThan(5);
    expect(direct[0]).toMatchObject({
      description: "Says it again.",
      inputSchema: {
        type: "object",
        properties: { text: { type: "string", minLength: 2 } },
        required: ["text"],
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    });
    expect(direct[1]).toMatchObject({
      outputSchema: { type: "object", properties: { sum: { type: "number" } } },
      annotations: { readOnlyHint: false, destructiveHint: true },
    });
    expect(await client.listTools()).toEqual({ ...(await client.listTools()), tools });
    await client.close();
  });

  it("give their results and failures", async () => {
    const client = await connect(server.command);
    await client.listTools();
    expect(textOf(await client.call("demo_echo", { text: "again" }))).toBe("again");
    expect(await client.call("demo_add", { a: 2 })).toMatchObject({
      structuredContent: { sum: 3 },
      content: [{ type: "text", text: '{"sum":3}' }],
    });
    expect(textOf(await client.call("demo_list"))).toBe("[1,2]");
    expect(textOf(await client.call("demo_stream"))).toBe('one\n{"two":2}');
    expect((await client.call("demo_picture")).content).toEqual([
      { type: "image", data: "AQID", mimeType: "image/png" },
    ]);
    const wrong = await client.call("demo_echo", { text: "x" });
    expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringMatching(/^usage: text: /)]);
    expect(textOf(await client.call("demo_add", { b: "x" }))).toBe(
      "usage: 2 things are wrong with the input\n- a: is required\n- b: must be a number, not a string",
    );
    const failed = await client.call("demo_fail");
    expect([failed.isError, textOf(failed)]).toEqual([true, "failed: out of order"]);
    await client.close();
  });

  it("that need approval happen once, after somebody has agreed", async () => {
    const client = await connect(server.command);
    await client.listTools();
    const asked = await client.call("demo_remove", { text: "all" });
    const [, id = ""] = /approval (\w+):/.exec(textOf(asked)) ?? [];
    expect([asked.isError, textOf(asked)]).toEqual([
      true,
      `[waiting for approval ${id}: call demo:remove; rule: approval of the toolkit demo; tell the user: only a person can approve it]\n` +
        "[nothing has happened yet; then call again with the same arguments]",
    ]);
    const allowed = await runAsPerson(server.command, ["approvals", "allow", id]);
    expect(allowed.text).toContain("\nAllowed once: call demo:remove\n");
    expect(textOf(await client.call("demo_remove", { text: "all" }))).toMatch(/^removed \d$/);
    const again = await client.call("demo_remove", { text: "all" });
    expect(textOf(again)).toContain("waiting for approval");
    await client.close();
    await eventually("nothing waits", async () => {
      const { stdout } = await server.run(["approvals"]);
      return stdout.toString() === "Nothing waits for approval.\n";
    });
  });
});

describe.each(["auto", "legacy"] as const)("a client that shows forms (%s)", (mode) => {
  it("is asked about direct tools", async () => {
    const client = new Client(
      { name: "asked", version: "1" },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
    );
    const forms: unknown[] = [];
    let decision = "allow once";
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      forms.push(params);
      return { action: "accept", content: { decision } };
    });
    await client.connect(new StdioClientTransport(server.command));
    const remove = () => client.callTool({ name: "demo_remove", arguments: { text: "all" } });
    expect(textOf(await remove())).toMatch(/^removed \d$/);
    expect(forms).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(
          /^Allow: call demo:remove\?\nasked for by MCP connection \d+, call \d+\nwith this input \(14 bytes, SHA-256 [0-9a-f]{64}\):\n\{\n {2}"text": "all"\n\}$/,
        ),
      }),
    ]);
    expect(JSON.stringify(forms)).not.toContain("in this VM");
    decision = "deny";
    expect(textOf(await remove())).toMatch(/^denied: demo:remove was not approved/);
    await client.close();
  });
});

it("keeps a line of every call, and shows a VM nothing of what is for clients alone", async () => {
  expect(server.home.log()).toMatch(/tool demo:add: completed after \d+ ms, with \{\\"a\\":2\}/);
  const { stdout } = await server.run([
    "exec",
    "--",
    "ls /usr/local/bin; agentos-demo echo --text hi",
  ]);
  expect(stdout.toString()).toBe("agentos\nagentos-demo\nagentos-hidden\nhi\n");
});

it("lets the same tool wait as a command in a VM", async () => {
  const running = server.run(["exec", "--", "agentos-demo remove --text all"]);
  let id = "";
  await eventually("somebody is asked", async () => {
    const { stdout } = await server.run(["approvals", "--json"]);
    const [pending] = JSON.parse(stdout.toString()) as { id: string; vm: string; input: string }[];
    if (pending !== undefined)
      expect(pending).toMatchObject({ vm: "default", input: '{\n  "text": "all"\n}' });
    id = pending?.id ?? "";
    return id !== "";
  });
  await runAsPerson(server.command, ["approvals", "allow", id]);
  const { status, stdout, stderr } = await running;
  expect([status, stdout.toString()]).toEqual([0, expect.stringMatching(/^removed \d\n$/)]);
  expect(stderr).toContain(`waiting for approval: call demo:remove; as ${id}`);
  expect(stderr).not.toContain("approvals allow");
});

// Approvals by the forms of real MCP clients, of both SDKs and both eras.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InstalledServer } from "../../e2e/installed-server.ts";

let server: InstalledServer;
beforeAll(() => {
  server = InstalledServer.install();
  const rules = [{ mode: "ask", operations: ["rm"], paths: ["/home/user/**"] }];
  const config = { vm: { permissions: { fs: { default: "allow", rules } } } };
  writeFileSync(join(server.home.directory, "config.json"), JSON.stringify(config));
});
afterAll(() => server.remove());

type Answer =
  | { action: "accept"; content: { decision: string } }
  | { action: "decline" }
  | { action: "cancel" };

interface Form {
  readonly message: string;
  readonly choices: unknown;
}

interface AskedClient {
  readonly forms: Form[];
  /** What it answers to the next form. */
  answer: Answer;
  exec(input: object): Promise<unknown>;
  close(): Promise<void>;
}

interface FormParams {
  readonly message: string;
  readonly requestedSchema?: unknown;
}

const info = { name: "asked", version: "1" };
const capabilities = { elicitation: { form: {} } };

function take(client: AskedClient, { message, requestedSchema }: FormParams): Answer {
  client.forms.push({ message, choices: requestedSchema });
  return client.answer;
}

const start = { forms: [], answer: { action: "cancel" } as Answer };

async function connect(mode: "auto" | "legacy"): Promise<AskedClient> {
  const client = new Client(info, { capabilities, versionNegotiation: { mode } });
  const asked: AskedClient = {
    ...start,
    forms: [],
    exec: async (input) =>
      (await client.callTool({ name: "vm_exec", arguments: { ...input } })).structuredContent,
    close: () => client.close(),
  };
  client.setRequestHandler("elicitation/create", async ({ params }) => take(asked, params));
  await client.connect(new StdioClientTransport(server.command));
  await client.callTool({ name: "vm_create", arguments: { name: `vm-${mode}` } });
  return asked;
}

async function connectFirst(): Promise<AskedClient> {
  const client = new FirstClient(info, { capabilities: { elicitation: {} } });
  const asked: AskedClient = {
    ...start,
    forms: [],
    exec: async (input) =>
      (await client.callTool({ name: "vm_exec", arguments: { ...input } })).structuredContent,
    close: () => client.close(),
  };
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => take(asked, params));
  await client.connect(new FirstTransport(server.command));
  await client.callTool({ name: "vm_create", arguments: { name: "vm-first" } });
  return asked;
}

describe.each([
  ["@modelcontextprotocol/client 2.x, era of 2026-07-28", "vm-auto", () => connect("auto")],
  ["@modelcontextprotocol/client 2.x, era of 2025-11-25", "vm-legacy", () => connect("legacy")],
  ["@modelcontextprotocol/sdk 1.x", "vm-first", connectFirst],
])("%s", (_name, vm_id, open) => {
  const run = (command: string): object => ({ vm_id, command });

  it("is asked by a form, and the command goes on by its answer without running twice", async () => {
    const client = await open();
    client.answer = { action: "accept", content: { decision: "allow once" } };
    expect(
      await client.exec(run("echo x >> runs; touch a; rm a && echo gone; cat runs")),
    ).toMatchObject({
      status: "exited",
      stdout: "gone\nx\n",
    });
    expect(client.forms).toEqual([
      {
        message: expect.stringContaining(
          `Allow in the VM "${vm_id}": fs: rm /home/user/a?\nasked for by`,
        ),
        choices: {
          type: "object",
          properties: {
            decision: {
              type: "string",
              title: "Decision",
              description:
                "allow once: this call and no other. " +
                `allow in this VM: fs rm /home/user/a, and nothing else, in the VM "${vm_id}" until it is destroyed. ` +
                "always allow: fs rm /home/user/a, and nothing else, in every VM until it is revoked",
              enum: ["allow once", "allow in this VM", "always allow", "deny"],
            },
          },
          required: ["decision"],
        },
      },
    ]);
    client.answer = { action: "decline" };
    expect(await client.exec(run("touch a; rm a; echo $?"))).toMatchObject({ stdout: "1\n" });
    client.answer = { action: "accept", content: { decision: "allow in this VM" } };
    expect(await client.exec(run("rm a; echo $?"))).toMatchObject({ stdout: "0\n" });
    expect(client.forms).toHaveLength(3);
    expect(await client.exec(run("touch a; rm a; echo $?"))).toMatchObject({ stdout: "0\n" });
    expect(client.forms).toHaveLength(3);
    await client.close();
  });

  it("that closes the form without an answer learns what waits, and may go on", async () => {
    const client = await open();
    client.answer = { action: "cancel" };
    const result = await client.exec(run("touch b; rm b; echo $?"));
    const [, id] = /"approval":"(\w+)"/.exec(JSON.stringify(result)) ?? [];
    expect(result).toMatchObject({
      status: "running",
      pending: [{ approval: id, summary: `fs: rm /home/user/b (VM ${vm_id})` }],
    });
    expect(await server.run(["approvals", "deny", id ?? ""])).toMatchObject({ status: 0 });
    await client.close();
  });

  it("is asked again and again, up to as many times as clients of its kind take", async () => {
    const client = await open();
    client.answer = { action: "accept", content: { decision: "allow once" } };
    const result = await client.exec(
      run("for i in 1 2 3 4 5 6 7 8 9 10; do touch c$i; rm c$i && echo $i; done | tail -1"),
    );
    if (client.forms.length === 10) expect(result).toMatchObject({ stdout: "10\n" });
    else {
      expect(client.forms).toHaveLength(8);
      expect(result).toMatchObject({ status: "running", pending: [{}] });
    }
    await client.close();
  });
});

it("keeps a record of who decided", () => {
  const file = join(server.home.directory, "logs/approvals.jsonl");
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(records[0]).toMatchObject({
    vm: "vm-auto",
    kind: "permission",
    subject: "fs rm /home/user/a",
    outcome: "allow",
    scope: "once",
    by: expect.stringMatching(/^asked \(MCP connection \d+\)$/),
  });
  expect(records.filter(({ by }) => String(by).startsWith("agentos-mcp approvals ("))).toHaveLength(
    3,
  );
});

// The MCP servers of a Claude Desktop configuration as commands of a VM.
//
//   node examples/mcp-servers-as-commands/main.ts
//
// Starts agentos-mcp as any MCP client does, with config.json beside this file, and runs commands in a VM:
// two real MCP servers answer them. Each step says what it expects, and fails when something else comes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const here = import.meta.dirname;
const scratch = await mkdtemp(join(tmpdir(), "mcp-servers-as-commands-"));
const notes = join(scratch, "notes");
await cp(join(here, "notes"), notes, { recursive: true });

const launcher = join(here, "../../bin/agentos-mcp.mjs");
// The server's own home, so that this story meets no other server; config.json takes ${NOTES}.
const { PATH = "", HOME = "" } = process.env;
const env = { PATH, HOME, AGENTOS_MCP_HOME: join(scratch, "home"), NOTES: notes };

const client = new Client({ name: "mcp-servers-as-commands", version: "1.0.0" });
const args = [launcher, "--config", join(here, "config.json")];
await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));

try {
  await client.callTool({ name: "vm_create", arguments: { name: "notes" } });

  step("Every server is a command, which knows its tools.");
  assert.match(await run("agentos list"), /^agentos-filesystem .*\nagentos-everything /m);
  assert.match(await run("agentos-filesystem --help"), /read-text-file/);

  step("Tools take flags, and give text that other commands read.");
  assert.equal(
    await run(`agentos-filesystem read-text-file --path ${notes}/monday.md | grep -c '\\[ \\]'`),
    "1\n",
  );
  assert.equal(await run("agentos-everything echo --message 'Hello, VM'"), "Echo: Hello, VM\n");

  step("Structured results are JSON.");
  const weather = await run(
    "agentos-everything get-structured-content --location Chicago | jq -c keys",
  );
  assert.equal(weather, '["conditions","humidity","temperature"]\n');

  step("A loop over files: what is read stays in the VM, one number comes out.");
  const open = `for note in monday tuesday; do
    agentos-filesystem read-text-file --path ${notes}/$note.md
  done | grep -c '\\[ \\]'`;
  assert.equal(await run(open), "3\n");

  step("The same from JavaScript.");
  const script = `import tools from "agentos";
    const note = await tools.filesystem.readTextFile({ path: "${notes}/tuesday.md" });
    const done = note.replaceAll("[ ]", "[x]");
    await tools.filesystem.writeFile({ path: "${notes}/tuesday.md", content: done });
    console.log(await tools.everything.getSum({ a: 2, b: 3 }));`;
  assert.equal(
    await run(`cat > done.mjs <<'END'\n${script}\nEND\nnode done.mjs`),
    "The sum of 2 and 3 is 5.\n",
  );
  assert.equal(
    await readFile(join(notes, "tuesday.md"), "utf8"),
    "# Tuesday\n- [x] call Grace\n- [x] buy paper\n",
  );

  step("Resources and prompts are there, too.");
  assert.match(
    await run("agentos-everything list-resources | jq -r '.resources[0].uri'"),
    /^demo:\/\//,
  );
  assert.match(
    await run(
      "agentos-everything get-prompt --name args-prompt --arguments.city Bern | jq -r '.messages[0].content.text'",
    ),
    /Bern/,
  );

  step("What the server refuses, and what the configuration leaves out, fails.");
  assert.deepEqual(
    await exec("agentos-filesystem read-text-file --path /etc/passwd >/dev/null 2>&1"),
    {
      code: 1,
      stdout: "",
    },
  );
  assert.deepEqual(await exec("agentos-filesystem move-file 2>/dev/null"), { code: 2, stdout: "" });

  process.stdout.write("All of it worked.\n");
} finally {
  await client.close();
  await promisify(execFile)(process.execPath, [launcher, "stop", "--yes"], { env });
  await rm(scratch, { recursive: true, force: true });
}

function step(words: string): void {
  process.stdout.write(`- ${words}\n`);
}

/** The output of a command that succeeds. */
async function run(command: string): Promise<string> {
  const { code, stdout } = await exec(command);
  assert.equal(code, 0, `${command} failed`);
  return stdout;
}

async function exec(command: string): Promise<{ code: unknown; stdout: string }> {
  const request = { name: "vm_exec", arguments: { vm_id: "notes", command, yield_ms: 60_000 } };
  const { structuredContent, content } = await client.callTool(request, { timeout: 120_000 });
  assert(
    typeof structuredContent === "object" && structuredContent !== null,
    JSON.stringify(content),
  );
  assert(
    "exit_code" in structuredContent && "stdout" in structuredContent,
    JSON.stringify(content),
  );
  return { code: structuredContent.exit_code, stdout: String(structuredContent.stdout) };
}

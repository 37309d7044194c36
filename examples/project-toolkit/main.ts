// An issue tracker as a command of VMs: from a program of one's own, and from the configuration.
//
//   node examples/project-toolkit/main.ts
//
// Each step says what it expects, and fails when something else comes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Approvals, Vms } from "agentos-mcp";
import { project } from "./project.ts";

const here = import.meta.dirname;

await withLibrary();
await withConfiguration();
console.log("All of it worked.");

/** A host program makes VMs and gives them the toolkit. */
async function withLibrary(): Promise<void> {
  const approvals = new Approvals();
  // Here a person would be asked; this story agrees to the deletion of issue 1 and of no other.
  approvals.on("pending", ({ id, input = "{}" }) => {
    const answer = JSON.parse(input).id === 1 ? "allow" : "deny";
    approvals.decide(id, { answer, scope: "once" }, "the story");
  });
  await using vms = new Vms({ defaults: { toolkits: [project], approvals } });
  const vm = await vms.create({ name: "desk" });
  const run = async (command: string): Promise<string> => {
    const { stdout, stderr, exitCode } = await vm.exec(command);
    assert.equal(exitCode, 0, `${command}: ${stderr}`);
    return stdout;
  };

  step("The VM creates issues by flags.");
  await run("agentos-project create-issue --title 'Login fails' --labels bug --labels web");
  await run("agentos-project create-issue --title 'Add a dark mode' --labels idea");

  step("Results are JSON for the next command of the pipe.");
  const titles = "agentos-project list-issues --status open | jq -r '.[].title'";
  assert.equal(await run(titles), "Login fails\nAdd a dark mode\n");
  assert.equal(await run("agentos-project list-issues --label bug | jq length"), "1\n");

  step("Scripts call the same tools.");
  const script = `import tools from "agentos";
    for (const { id, title } of await tools.project.listIssues({ status: "open" }))
      if (title.includes("dark")) await tools.project.addComment({ id, text: "Done.", close: true });`;
  await vm.files.write("/tmp/close.mjs", script);
  await run("node /tmp/close.mjs");
  assert.equal(await run(titles), "Login fails\n");
  assert.equal(
    await run("agentos-project list-issues --status closed | jq -r '.[0].comments[0]'"),
    "desk: Done.\n",
  );

  step("Deleting waits for somebody's word.");
  assert.equal(await run("agentos-project delete-issue --id 1 2>/dev/null"), "Issue 1 is gone.\n");
  const denied = await vm.exec("agentos-project delete-issue --id 2");
  assert.equal(denied.exitCode, 77);

  step("Mistakes are said, with what would be right.");
  const mistake = await vm.exec("agentos-project create-issue --titel x");
  assert.equal(mistake.exitCode, 2);
  assert.match(mistake.stderr, /--title/);
}

/** The server loads the same module by its configuration. */
async function withConfiguration(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "project-toolkit-"));
  const launcher = join(here, "../../bin/agentos-mcp.mjs");
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, AGENTOS_MCP_HOME: home, AGENTOS_MCP_CONFIG: join(here, "config.json") };
  const agentosMcp = async (...words: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [launcher, ...words], { env });
    return stdout;
  };
  step("A server has it in every VM.");
  try {
    const command =
      "agentos-project create-issue --title 'From a server' >/dev/null; agentos-project list-issues";
    assert.match(await agentosMcp("exec", "--", command), /From a server/);
  } finally {
    await agentosMcp("stop", "--yes");
    await rm(home, { recursive: true, force: true });
  }
}

function step(words: string): void {
  console.log(`- ${words}`);
}

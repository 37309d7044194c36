import { InstalledServer } from "../../e2e/installed-server.ts";
import { connectModern, type McpClient } from "../../e2e/mcp-clients.ts";
import { casePrograms } from "../../support/bash-case-programs.ts";
import type { BashCase } from "../../support/bash-cases.ts";
import type { RunResult } from "../../support/boot.ts";
import { type CaseRunner, describeBashCases } from "./describe-bash-cases.ts";

describeBashCases("over MCP", openMcp);

interface ExecAnswer {
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One VM for all cases, each with a directory of its own. */
async function openMcp(): Promise<CaseRunner> {
  const server = InstalledServer.install();
  const client = await connectModern(server.command);
  for (const { path, text } of casePrograms)
    await call(client, { command: `cat >${path} && chmod 755 ${path}`, stdin: text });
  return {
    parallel: 4,
    run: (one) => run(client, one),
    close: async () => {
      await client.close();
      await server.remove();
    },
  };
}

async function run(client: McpClient, { id, script }: BashCase): Promise<RunResult> {
  const directory = `/tmp/${id.replace(":", "-")}`;
  await call(client, { command: `mkdir ${directory}` });
  return await call(client, {
    command: "bash",
    stdin: script,
    cwd: directory,
    env: { SH: "bash", TMP: directory, LC_ALL: "C.UTF-8" },
    timeout_ms: 10_000,
    max_output_bytes: 400_000,
  });
}

async function call(client: McpClient, input: object): Promise<RunResult> {
  const { structuredContent, content, isError } = await client.call("vm_exec", input);
  if (isError === true || structuredContent === undefined)
    throw new Error(`vm_exec failed: ${JSON.stringify(content)}`);
  const { exit_code, stdout, stderr } = structuredContent as unknown as ExecAnswer;
  return { status: exit_code, stdout, stderr };
}

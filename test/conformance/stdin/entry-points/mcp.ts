import { InstalledServer } from "../../../e2e/installed-server.ts";
import { connectModern, type McpClient } from "../../../e2e/mcp-clients.ts";
import type { Answer } from "../../recorded-case.ts";
import { type CommandStdin, type EntryPoint, textOf } from "../entry-point.ts";

/** Room for what a batch prints. */
const max_output_bytes = 375_000;

/** What a command has answered so far. */
interface ExecAnswer {
  readonly status: string;
  readonly exec_id: string;
  readonly exit_code?: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `vm_exec` with all of its stdin. */
export async function openVmExec(): Promise<EntryPoint> {
  const { client, close } = await connect();
  return {
    name: "vm_exec",
    parallel: 4,
    run: async (command, stdin) => finish(client, await start(client, command, stdin)),
    close,
  };
}

/** `vm_exec` without any stdin, and all of it by `vm_exec_io`. */
export async function openVmExecIo(): Promise<EntryPoint> {
  const { client, close } = await connect();
  return {
    name: "vm_exec_io",
    parallel: 4,
    async run(command, { input, staysOpen }) {
      const nothing = { command, interactive: true, yield_ms: 0, max_output_bytes };
      const { exec_id, ...before } = await call(client, "vm_exec", nothing);
      const stdin = { stdin: textOf(input), close_stdin: !staysOpen };
      const fed = await call(client, "vm_exec_io", { exec_id, ...stdin, max_output_bytes });
      return join(before, await finish(client, fed));
    },
    close,
  };
}

function start(
  client: McpClient,
  command: string,
  { input, staysOpen }: CommandStdin,
): Promise<ExecAnswer> {
  const stdin = { stdin: textOf(input), interactive: staysOpen };
  return call(client, "vm_exec", { command, ...stdin, max_output_bytes });
}

/** Follows a command that still runs to its end. */
async function finish(client: McpClient, answer: ExecAnswer): Promise<Answer> {
  const { status, exec_id, exit_code = -1, stdout, stderr } = answer;
  if (status !== "running") return { stdout, stderr, status: exit_code };
  const next = await call(client, "vm_exec_io", { exec_id, max_output_bytes });
  return join(answer, await finish(client, next));
}

function join(before: Pick<ExecAnswer, "stdout" | "stderr">, after: Answer): Answer {
  return {
    stdout: before.stdout + after.stdout,
    stderr: before.stderr + after.stderr,
    status: after.status,
  };
}

async function call(client: McpClient, tool: string, input: object): Promise<ExecAnswer> {
  const { structuredContent, content, isError } = await client.call(tool, input);
  if (isError === true || structuredContent === undefined)
    throw new Error(`${tool} failed: ${JSON.stringify(content)}`);
  return structuredContent as unknown as ExecAnswer;
}

/** A client of an installed server, with a VM of its own. */
async function connect(): Promise<{ client: McpClient; close: () => Promise<void> }> {
  const server = InstalledServer.install();
  const client = await connectModern(server.command);
  const close = async (): Promise<void> => {
    await client.close();
    await server.remove();
  };
  return { client, close };
}

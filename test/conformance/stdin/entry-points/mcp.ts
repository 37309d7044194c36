import { InstalledServer } from "../../../e2e/installed-server.ts";
import { connectModern, type McpClient } from "../../../e2e/mcp-clients.ts";
import type { Answer } from "../../recorded-case.ts";
import { type CommandStdin, type EntryPoint, type OpenTerminal, textOf } from "../entry-point.ts";
import { Shown } from "../terminal.ts";

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
    openTerminal: (command) => openTerminal(client, command),
    close,
  };
}

/** `vm_exec` with `tty`; what it shows is read from its log, since the screen holds only the last of it. */
async function openTerminal(client: McpClient, command: string): Promise<OpenTerminal> {
  const vm_id = "typed";
  await client.call("vm_create", { name: vm_id });
  const { exec_id } = await call(client, "vm_exec", { vm_id, command, tty: true, yield_ms: 0 });
  const shown = new Shown();
  let readBytes = 0;
  const typed: Promise<ExecAnswer>[] = [];
  const act = (input: object): Promise<ExecAnswer> =>
    call(client, "vm_exec_io", { vm_id, exec_id, yield_ms: 0, ...input });
  const readMore = async (): Promise<void> => {
    const path = `vm://${vm_id}/exec/${exec_id}/stdout`;
    const piece = await client.call("fs_read", { path, encoding: "base64", offset: readBytes });
    const [part] = piece.content;
    const bytes = Buffer.from(part?.type === "text" ? (part.text ?? "") : "", "base64");
    readBytes += bytes.length;
    shown.append(bytes);
  };
  return {
    type: (bytes) => {
      typed.push(act({ stdin: Buffer.from(bytes).toString("utf8") }));
    },
    async shown(mark) {
      await readMore();
      while (!shown.has(mark)) {
        await act({ yield_ms: 10 });
        await readMore();
      }
      await Promise.all(typed.splice(0));
      return await shown.upTo(mark);
    },
    ended: Promise.resolve(),
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

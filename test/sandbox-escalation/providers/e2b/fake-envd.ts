// What answers inside a sandbox of E2B's: files by HTTP, processes by Connect's JSON (five bytes of envelope,
// then a message); see connectrpc.com/docs/protocol.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Sandbox, SandboxProcess } from "../../../../src/sandbox-escalation/provider.ts";
import { answer, readBody } from "./http-exchange.ts";

const terminals = new Map<string, SandboxProcess>();

export async function serveEnvd(
  machine: Sandbox,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://envd");
  const body = await readBody(request);
  if (url.pathname === "/files") {
    const path = url.searchParams.get("path") ?? "";
    const headers = { "Content-Type": request.headers["content-type"] ?? "" };
    const form = await new Response(body, { headers }).formData();
    const file = form.get("file");
    if (!(file instanceof Blob)) return answer(response, 400, { code: 400, message: "no file" });
    const content = new Uint8Array(await file.arrayBuffer());
    await run(machine, ["sh", "-c", 'cat > "$1"', "sh", path], content);
    return answer(response, 200, [{ name: path, path, type: "file" }]);
  }
  if (url.pathname === "/health") return answer(response, 204, undefined);
  const method = url.pathname.split("/").pop();
  if (method === "Start") return await start(machine, body, response);
  const message = JSON.parse(body.toString()) as Message;
  if (method === "MakeDir") {
    const status = await run(machine, ["mkdir", message.path ?? ""]);
    if (status === 0) return answer(response, 200, { entry: { name: "x", path: message.path } });
    return answer(response, 409, { code: "already_exists", message: "exists" });
  }
  const terminal = terminals.get(`${machine.ref} ${message.process?.pid}`);
  if (terminal === undefined) return answer(response, 404, { code: "not_found", message: "none" });
  if (method === "SendInput")
    await terminal.writeInput(Buffer.from(message.input?.pty ?? "", "base64"));
  if (method === "SendSignal") await terminal.kill("SIGKILL");
  return answer(response, 200, {});
}

interface Message {
  readonly path?: string;
  readonly process?: { readonly pid?: number; readonly cmd?: string; readonly args?: string[] };
  readonly input?: { readonly pty?: string };
}

async function start(machine: Sandbox, body: Buffer, response: ServerResponse): Promise<void> {
  const { process } = JSON.parse(body.subarray(5).toString()) as Message;
  const terminal = await machine.spawn([process?.cmd ?? "", ...(process?.args ?? [])], {
    cwd: "/home/user",
    env: {},
    terminal: { columns: 80, rows: 24 },
  });
  terminals.set(`${machine.ref} ${terminal.id}`, terminal);
  response.writeHead(200, { "Content-Type": "application/connect+json" });
  const send = (message: unknown, flags = 0) => {
    const text = Buffer.from(JSON.stringify(message));
    const head = Buffer.alloc(5);
    head[0] = flags;
    head.writeUInt32BE(text.length, 1);
    return response.write(Buffer.concat([head, text]));
  };
  send({ event: { start: { pid: Number(terminal.id) } } });
  for await (const bytes of terminal.output) {
    const isTaken = send({ event: { data: { pty: Buffer.from(bytes).toString("base64") } } });
    if (!isTaken && !response.destroyed) await drained(response);
  }
  const { status } = await terminal.ended;
  send({ event: { end: { exitCode: status, exited: true, status: `exit status ${status}` } } });
  send({}, 2);
  response.end();
}

async function run(
  machine: Sandbox,
  argv: readonly string[],
  input = new Uint8Array(0),
): Promise<number> {
  const process = await machine.spawn(argv, { cwd: "/", env: {} });
  await process.writeInput(input);
  await process.closeInput();
  return (await process.ended).status;
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}

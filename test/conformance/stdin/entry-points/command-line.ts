import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { InstalledServer } from "../../../e2e/installed-server.ts";
import { bytesOf } from "../behaviour.ts";
import { type EntryPoint, quote } from "../entry-point.ts";
import { Shown } from "../terminal.ts";

const VM = "stdin";

/** `agentos-mcp exec`; a terminal is that of `agentos-mcp shell`. */
export async function openCommandLine(): Promise<EntryPoint> {
  const server = InstalledServer.install();
  const { command: node, args, cwd, env } = server.command;
  // Says that it has made the VM, once.
  await server.run(["exec", "--vm", VM, "--", "true"]);
  return {
    name: "agentos-mcp exec",
    parallel: 2,
    async run(command, { input, staysOpen }) {
      const child = spawn(node, [...args, "exec", "--vm", VM, "--", command], { cwd, env });
      child.stdin.on("error", () => {});
      child.stdin.write(bytesOf(input));
      if (!staysOpen) child.stdin.end();
      return answerOf(child);
    },
    async openTerminal(command) {
      const shown = new Shown();
      const shell = [node, ...args, "shell", VM].map(quote).join(" ");
      const child = spawn("script", ["-qefc", shell, "/dev/null"], { cwd, env });
      child.stdin.on("error", () => {});
      child.stdout.on("data", (chunk: Buffer) => shown.append(chunk)).on("end", () => shown.end());
      await shown.upTo("$ ");
      await server.run(["exec", "--vm", VM, "--", "cat > /tmp/terminal.sh"], Buffer.from(command));
      child.stdin.write("exec bash /tmp/terminal.sh\r");
      return {
        type: (bytes) => void child.stdin.write(bytes),
        shown: (mark) => shown.upTo(mark),
        ended: once(child, "close"),
      };
    },
    close: () => server.remove(),
  };
}

async function answerOf(child: ChildProcessWithoutNullStreams) {
  const [stdout, stderr, [status]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, "exit") as Promise<[number | null]>,
  ]);
  child.stdin.destroy();
  return { stdout, stderr, status: status ?? -1 };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString("latin1");
}

// The command a client starts: MCP on stdin and stdout, served by the one server of this home.
import type { CommandContext } from "../command-list.ts";
import { connectToServer } from "../connect/connect-to-server.ts";
import { clientConfiguration } from "./client-configuration.ts";
import { projectOf } from "./project-of.ts";
import { StdioShim } from "./stdio-shim.ts";

/** Runs until the client leaves; resolves to the exit code. Leaves on SIGINT, SIGTERM and SIGHUP, too. */
export async function serve(context: CommandContext): Promise<number> {
  const launch = context.launchServer();
  const client = process.ppid;
  const project = projectOf(process.env);
  const who = { role: "mcp", ...(project === undefined ? {} : { project }) } as const;
  const shim = new StdioShim({
    input: process.stdin,
    output: process.stdout,
    connect: () => connectToServer(who, launch),
    isClientGone: () => process.ppid !== client,
    say: context.say,
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => shim.stop());
  if (process.stdin.isTTY) {
    context.say(
      "This is an MCP server on standard input and output, to be started by an MCP client such as Claude Desktop.\n" +
        `Put this into the client's configuration:\n\n${clientConfiguration(context.binFile)}\n\n` +
        "Now waiting for MCP messages. Press Ctrl-C to leave; agentos-mcp --help lists commands for people.",
    );
  }
  return await shim.run();
}

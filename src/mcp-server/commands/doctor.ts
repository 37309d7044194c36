// `agentos-mcp doctor`: looks at this host on the Node that cells run on, without the server: it says
// what is wrong when that does not start. Runs on Node 20.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandContext } from "../command-list.ts";
import { quietFlags } from "../connect/server-node.ts";

/** Resolves to 0 when all that matters holds, to 1 when something does not. */
export async function doctor(context: CommandContext): Promise<number> {
  const { node, home, env } = context.launchServer();
  const entry = fileURLToPath(new URL(`./doctor/main${extname(import.meta.url)}`, import.meta.url));
  const { NODE_OPTIONS: _, ...ownEnv } = env;
  const format = context.switches.has("json") ? "json" : "text";
  const child = spawn(node, [...quietFlags, entry, home.directory, format], {
    env: ownEnv,
    stdio: ["ignore", "inherit", "inherit"],
    windowsHide: true,
  });
  const [code]: unknown[] = await once(child, "close");
  return typeof code === "number" ? code : 1;
}

// Tries every attack in a local sandbox beside canaries of the host: a secret file, a variable, listeners, a
// process of another sandbox. Run by itself it prints what got through: `try-attacks.ts '["seccomp"] [IMAGE]'`.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Protection } from "../../../src/sandbox-escalation/providers/local/protections.ts";
import { readUntil, sh } from "../../contract/sandbox-provider/run-in-sandbox.ts";
import { openLocal } from "../../sandbox-escalation/providers/local/local-under-test.ts";
import { attacks } from "./attacks.ts";
import { rootAttacks } from "./root-attacks.ts";

export interface Outcome {
  /** Names of the attacks that got through. */
  readonly through: readonly string[];
  readonly tried: number;
}

/** With the host's tools, or in a root of its own. */
export async function tryAttacks(without: readonly Protection[], image?: string): Promise<Outcome> {
  const list = image === undefined ? attacks : rootAttacks;
  const underTest = openLocal({ without, ...(image === undefined ? {} : { image }) });
  // Not below /tmp, which a sandbox has its own of.
  const secrets = mkdtempSync("/var/tmp/agentos-escape-");
  const tcp = await listen({ port: 0, host: "127.0.0.1" });
  const abstractName = `agentos-escape-${process.pid}-${performance.now()}`;
  const abstract = await listen({ path: `\0${abstractName}` });
  chmodSync(secrets, 0o755);
  writeFileSync(join(secrets, "canary"), "secret\n", { mode: 0o644 });
  process.env[CANARY_NAME] = "secret";
  try {
    const { provider, makeSpec } = underTest;
    const [spec, otherSpec] = [await makeSpec(), await makeSpec()];
    const [sandbox, other] = [await provider.create(spec), await provider.create(otherSpec)];
    const sleep = await other.spawn(["sh", "-c", `echo ready; exec sleep ${CANARY_SECONDS}`], {
      cwd: other.cwd,
      env: {},
    });
    await readUntil(sleep, "ready\n");
    const address = tcp.address();
    const env = {
      CANARY_FILE: join(secrets, "canary"),
      CANARY_NAME,
      CANARY_PORT: String(typeof address === "object" ? address?.port : 0),
      CANARY_SOCKET: abstractName,
      CANARY_SECONDS,
      CANARY_PID: String(process.pid),
      CANARY_WORKSPACE: otherSpec.workspace,
    };
    const through: string[] = [];
    for (const { name, line } of list)
      if ((await sh(sandbox, line, { env })).status === 0) through.push(name);
    const isAlive = (await sh(sandbox, "echo alive")).stdout === "alive\n";
    if (!isAlive) through.push("sandbox-ended");
    await sandbox.destroy();
    await other.destroy();
    return { through, tried: list.length };
  } finally {
    delete process.env[CANARY_NAME];
    tcp.close();
    abstract.close();
    rmSync(secrets, { recursive: true, force: true });
    await underTest.close();
  }
}

const CANARY_NAME = "AGENTOS_ESCAPE_CANARY";
const CANARY_SECONDS = "31337";

function listen(where: { port: number; host: string } | { path: string }): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.end());
    server.once("error", reject);
    server.listen(where, () => resolve(server));
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const without: readonly Protection[] = JSON.parse(process.argv[2] ?? "[]");
  process.stdout.write(JSON.stringify(await tryAttacks(without, process.argv[3])));
}

// A server that holds a container sandbox until it is killed: hold-sandbox.ts SOCKET SPEC

import type { SandboxSpec } from "../../../../src/sandbox-escalation/provider.ts";
import { DockerProvider } from "../../../../src/sandbox-escalation/providers/docker/docker-provider.ts";

const [socketPath = "", spec = ""] = process.argv.slice(2);
const provider = new DockerProvider({
  env: { DOCKER_HOST: `unix://${socketPath}` },
  openFiles: async () => ({}) as never,
});
const sandbox = await provider.create(JSON.parse(spec) as SandboxSpec);
await sandbox.spawn(["sleep", "300"], { cwd: sandbox.cwd, env: {} });
process.stdout.write("ready\n");
setInterval(() => {}, 60_000);

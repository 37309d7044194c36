// A real sandbox-agent server for tests: on loopback, with a token, processes and files of its own.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxAgentAccess } from "../../../../src/sandbox-escalation/providers/sandbox-agent/server-address.ts";

/** Where npm put it; undefined where this machine has none. */
function findServerBinary(): string | undefined {
  const name = `@sandbox-agent/cli-linux-${process.arch}/package.json`;
  try {
    const path = join(createRequire(import.meta.url).resolve(name), "..", "bin", "sandbox-agent");
    return existsSync(path) ? path : undefined;
  } catch {
    // An optional package of another platform.
    return undefined;
  }
}

/** Why it cannot be tested here; undefined where it can. */
export function findServerObstacle(): string | undefined {
  if (findServerBinary() === undefined) return "there is no sandbox-agent server for this machine";
  return existsSync("/usr/bin/bwrap") ? undefined : "bubblewrap is missing";
}

export class RealServer {
  readonly token = randomBytes(16).toString("hex");
  readonly port: number;
  readonly #directory: string;
  #child: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
    this.#directory = mkdtempSync(join(tmpdir(), "agentos-server-test-"));
  }

  static async start(): Promise<RealServer> {
    const server = new RealServer(await findPort());
    await server.resume();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get directory(): string {
    return join(this.#directory, "sandboxes");
  }

  get access(): SandboxAgentAccess {
    return { url: this.url, token: this.token, directory: this.directory };
  }

  /** What its sandboxes have left there. */
  findRemains(ref: string): string[] {
    return existsSync(this.directory)
      ? readdirSync(this.directory).filter((name) => name.includes(ref))
      : [];
  }

  async resume(): Promise<void> {
    const binary = join(this.#directory, "sandbox-agent");
    // npm does not run the package's own script, which would make it executable.
    if (!existsSync(binary)) copyFileSync(findServerBinary() ?? "", binary);
    chmodSync(binary, 0o755);
    const walls = ["--unshare-pid", "--unshare-ipc", "--die-with-parent", "--proc", "/proc"];
    const view = [
      "--ro-bind",
      "/",
      "/",
      "--dev",
      "/dev",
      "--bind",
      this.#directory,
      this.#directory,
    ];
    const words = ["server", "--host", "127.0.0.1", "--port", String(this.port), "--no-telemetry"];
    this.#child = spawn(
      "/usr/bin/bwrap",
      [...view, ...walls, "--tmpfs", "/tmp", "--bind", this.#directory, this.#directory].concat([
        "--",
        binary,
        ...words,
        "--token",
        this.token,
      ]),
      {
        stdio: "ignore",
        env: { PATH: "/usr/bin:/bin", HOME: this.#directory, SECRET_OF_SERVER: "x" },
      },
    );
    await this.#answers();
  }

  /** Without a farewell; its processes end with its namespace. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #answers(): Promise<void> {
    const headers = { Authorization: `Bearer ${this.token}` };
    for (let tries = 0; tries < 200; tries++) {
      const isThere = await fetch(`${this.url}/v1/health`, { headers }).then(
        (response) => response.ok,
        () => false,
      );
      if (isThere) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("the sandbox-agent server does not start");
  }
}

async function findPort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("there is no port");
  return address.port;
}

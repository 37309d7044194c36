// A container engine for tests: Debian's Docker (scripts/fetch-container-engine.mjs), in a network and a mount
// namespace of its own, with an image made of busybox. Nothing of the machine's own Docker is touched.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = process.env["AGENTOS_CONTAINER_ENGINE"] ?? join(tmpdir(), "agentos-mcp-engine");

export const IMAGE = "agentos-test:1";

/** An engine, or why there can be none here: tests are skipped with that. */
export async function startTestEngine(): Promise<TestEngine | string> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "it needs Linux and root";
  if (!existsSync(join(folder, "usr/sbin/dockerd")))
    return "run scripts/fetch-container-engine.mjs first";
  return await TestEngine.start().catch((error: unknown) => String(error).slice(0, 500));
}

export class TestEngine {
  readonly socketPath: string;
  readonly #directory: string;
  readonly #child: ChildProcess;

  private constructor(directory: string, child: ChildProcess) {
    this.#directory = directory;
    this.#child = child;
    this.socketPath = join(directory, "docker.sock");
  }

  static async start(): Promise<TestEngine> {
    const directory = mkdtempSync(join(tmpdir(), "agentos-engine-"));
    const log = openSync(join(directory, "log"), "w");
    const places = ["usr/bin", "usr/sbin", "bin"].map((name) => join(folder, name));
    const child = spawn("unshare", describeEngine(directory), {
      env: { PATH: [...places, "/usr/sbin:/usr/bin:/sbin:/bin"].join(":"), HOME: directory },
      stdio: ["ignore", log, log],
      detached: true,
    });
    const engine = new TestEngine(directory, child);
    try {
      await engine.#waitUntilReady();
      await engine.#importImage();
    } catch (error) {
      const text = readFileSync(join(directory, "log"), "utf8").slice(-2000);
      await engine.stop();
      throw new Error(`the engine did not start: ${text}`, { cause: error });
    }
    return engine;
  }

  async ask(method: string, path: string, body?: Uint8Array): Promise<unknown> {
    return await new Promise((resolve, reject) => {
      const { socketPath } = this;
      const headers = { "Content-Type": "application/x-tar" };
      const sent = request({ socketPath, method, path: `/v1.41${path}`, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", () =>
          resolve(text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text),
        );
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    if (this.#child.exitCode === null && this.#child.kill("SIGTERM")) await ended;
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #waitUntilReady(): Promise<void> {
    for (let round = 0; round < 300; round++) {
      if (this.#child.exitCode !== null) throw new Error("it has ended");
      const isReady = await this.ask("GET", "/_ping").catch(() => undefined);
      if (isReady === "OK") return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error("it does not answer");
  }

  /** All of busybox's commands, the usual directories, two accounts. */
  async #importImage(): Promise<void> {
    const root = join(this.#directory, "image");
    for (const name of ["bin", "etc", "tmp", "home", "usr/bin"])
      mkdirSync(join(root, name), { recursive: true });
    chmodSync(join(root, "tmp"), 0o1777);
    writeFileSync(join(root, "etc/passwd"), "root:x:0:0::/:/bin/sh\n");
    const busybox = join(root, "bin/busybox");
    cpSync(join(folder, "bin/busybox"), busybox);
    for (const name of execFileSync(busybox, ["--list"], { encoding: "utf8" }).trim().split("\n"))
      if (name !== "busybox") symlinkSync("busybox", join(root, "bin", name));
    const tar = execFileSync("tar", ["-C", root, "-c", "."], { maxBuffer: 64 * 1024 * 1024 });
    const [repo, tag] = IMAGE.split(":");
    await this.ask("POST", `/images/create?fromSrc=-&repo=${repo}&tag=${tag}`, tar);
  }
}

/** No bridge and no rules: the machine's network stays as it is. */
function describeEngine(directory: string): string[] {
  const at = (name: string) => join(directory, name);
  return [
    ...["--net", "--mount", "--propagation", "private", "--", "dockerd"],
    ...["--data-root", at("data"), "--exec-root", at("exec"), "--pidfile", at("pid")],
    ...["--host", `unix://${at("docker.sock")}`, "--bridge", "none", "--log-level", "warn"],
    ...["--iptables=false", "--ip6tables=false", "--ip-forward=false", "--ip-masq=false"],
  ];
}

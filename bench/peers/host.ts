// The machine's own bash and tools: what a program costs that was compiled. A VM is a folder here.
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Peer, PeerVm } from "./peer-protocol.ts";
import { servePeer } from "./serve-peer.ts";

class HostVm implements PeerVm {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Paths below /tmp are in the folder; `node` is the pinned one. */
  async exec(command: string): Promise<{ stdout: string; exitCode: number }> {
    return this.#spawn("bash", ["-c", command.replaceAll("/tmp/", `${this.#folder}/`)]);
  }

  async run(code: string): Promise<{ stdout: string; exitCode: number }> {
    return this.#spawn(process.execPath, ["--input-type=module", "-e", code]);
  }

  async #spawn(
    file: string,
    args: readonly string[],
  ): Promise<{ stdout: string; exitCode: number }> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const child = spawn(file, args, {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` },
    });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.on("error", reject).on("close", (code) => resolve(code ?? -1));
    return { exitCode: await promise, stdout };
  }

  async write(path: string, text: string): Promise<void> {
    await writeFile(path.replace("/tmp/", `${this.#folder}/`), text);
  }

  async destroy(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const made: HostVm[] = [];
const peer: Peer = {
  create: async () => {
    const vm = new HostVm(await mkdtemp(join(tmpdir(), "agentos-bench-")));
    made.push(vm);
    return vm;
  },
  close: async () => {
    for (const vm of made) await vm.destroy();
  },
};
servePeer(peer);

// The machine's own bash and tools: what a program costs that was compiled. A VM is a folder here.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Peer, PeerVm } from "./peer-protocol.ts";
import {
  bytesToFeed,
  type ChildRequest,
  type ChildResult,
  onTerminal,
  runChild,
} from "./run-child.ts";
import { servePeer } from "./serve-peer.ts";

/** `node` is the pinned one. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` };

class HostVm implements PeerVm {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async exec(command: string): Promise<ChildResult> {
    return runChild(this.#bash(command));
  }

  async run(code: string): Promise<ChildResult> {
    return runChild({ file: process.execPath, args: ["--input-type=module", "-e", code], env });
  }

  async output(command: string): Promise<number> {
    return (await this.exec(command)).bytes;
  }

  async terminalOutput(command: string): Promise<number> {
    return (await runChild(onTerminal(this.#bash(command)))).bytes;
  }

  async input(command: string, bytes: number): Promise<string> {
    return (await runChild({ ...this.#bash(command), input: bytesToFeed(bytes) })).stdout;
  }

  async write(path: string, text: string): Promise<void> {
    await writeFile(path.replace("/tmp/", `${this.#folder}/`), text);
  }

  async destroy(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Paths below /tmp are in the folder. */
  #bash(command: string): ChildRequest {
    const args = ["-c", command.replaceAll("/tmp/", `${this.#folder}/`)];
    return { file: "bash", args, env };
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

// A VM by way of `agentos-mcp exec`: each command is a process that a person or a script starts.
import { binFile } from "./our-package.ts";
import type { PeerVm } from "./peer-protocol.ts";
import { bytesToFeed, type ChildRequest, type ChildResult, runChild } from "./run-child.ts";

export class ExecVm implements PeerVm {
  readonly #id: string;

  /** The VM is made by its first command. */
  constructor(id: string) {
    this.#id = id;
  }

  async exec(command: string): Promise<ChildResult> {
    return this.#run(command, []);
  }

  async output(command: string): Promise<number> {
    return (await this.#run(command, [])).bytes;
  }

  async input(command: string, bytes: number): Promise<string> {
    return (await this.#run(command, bytesToFeed(bytes))).stdout;
  }

  async write(path: string, text: string): Promise<void> {
    await this.#run(`cat > '${path}'`, [new TextEncoder().encode(text)]);
  }

  async destroy(): Promise<void> {
    await destroyVm(this.#id);
  }

  #run(command: string, input: Iterable<Uint8Array>): Promise<ChildResult> {
    return runChild({ ...commandLine("exec", "--vm", this.#id, "--", command), input });
  }
}

export async function destroyVm(id: string): Promise<void> {
  await runChild(commandLine("vms", "destroy", id));
}

/** `agentos-mcp` with these words, in this process's home. */
export function commandLine(...words: readonly string[]): ChildRequest {
  return { file: process.execPath, args: [binFile, ...words] };
}

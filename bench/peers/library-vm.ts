// A VM by way of the library.
import type * as Library from "../../src/vm/index.ts";
import type { PeerVm } from "./peer-protocol.ts";
import { bytesToFeed } from "./run-child.ts";

const TERMINAL = { cols: 80, rows: 24 };

export class LibraryVm implements PeerVm {
  readonly #vm: Library.Vm;

  constructor(vm: Library.Vm) {
    this.#vm = vm;
  }

  async exec(command: string): Promise<{ stdout: string; exitCode: number }> {
    return this.#vm.exec(command);
  }

  async run(code: string): Promise<{ stdout: string; exitCode: number }> {
    return this.#vm.run(code, { language: "javascript" });
  }

  async output(command: string): Promise<number> {
    return this.#count(command, {});
  }

  async terminalOutput(command: string): Promise<number> {
    return this.#count(command, { pty: TERMINAL });
  }

  async input(command: string, bytes: number): Promise<string> {
    const feed = async function* (): AsyncGenerator<Uint8Array> {
      yield* bytesToFeed(bytes);
    };
    return (await this.#vm.exec(command, { stdin: feed() })).stdout;
  }

  async stat(path: string): Promise<unknown> {
    return this.#vm.files.stat(path);
  }

  async read(path: string): Promise<string> {
    return new TextDecoder().decode(await this.#vm.files.read(path));
  }

  async write(path: string, text: string): Promise<void> {
    await this.#vm.files.write(path, text);
  }

  async destroy(): Promise<void> {
    await this.#vm.destroy();
  }

  async #count(command: string, options: Library.SpawnOptions): Promise<number> {
    let bytes = 0;
    const exec = await this.#vm.spawn(command, {
      ...options,
      onOutput: (stream, part) => {
        if (stream === "stdout") bytes += part.length;
      },
    });
    await exec.wait();
    const { state } = exec.status();
    if (state !== "exited") throw new Error(`"${command}" ended as ${state}`);
    return bytes;
  }
}

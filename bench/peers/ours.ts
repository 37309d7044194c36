// agentos-mcp as a library, from dist: what ships.
import type * as Library from "../../src/vm/index.ts";
import type { Peer, PeerVm } from "./peer-protocol.ts";
import { servePeer } from "./serve-peer.ts";

const library = (await import(
  new URL("../../dist/vm/index.js", import.meta.url).href
)) as typeof Library;

class Ours implements Peer {
  readonly #ahead: Library.Vms = new library.Vms();
  #bare: Library.Vms | undefined;

  async create(isAhead: boolean): Promise<PeerVm> {
    if (!isAhead) this.#bare ??= new library.Vms({ poolSize: 0 });
    const vms = isAhead ? this.#ahead : (this.#bare ?? this.#ahead);
    return new OurVm(await vms.create());
  }

  async close(): Promise<void> {
    await this.#ahead.close();
    await this.#bare?.close();
  }
}

class OurVm implements PeerVm {
  readonly #vm: Library.Vm;

  constructor(vm: Library.Vm) {
    this.#vm = vm;
  }

  async exec(command: string): Promise<{ stdout: string; exitCode: number }> {
    return this.#vm.exec(command);
  }

  async write(path: string, text: string): Promise<void> {
    await this.#vm.files.write(path, text);
  }

  async destroy(): Promise<void> {
    await this.#vm.destroy();
  }
}

servePeer(new Ours());

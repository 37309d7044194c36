// agentos-mcp as a library, from dist: what ships.
import type * as ToolkitCli from "../../src/toolkit-cli/index.ts";
import type * as Library from "../../src/vm/index.ts";
import type { Peer, PeerVm, VmWish } from "./peer-protocol.ts";
import { servePeer } from "./serve-peer.ts";

const library = (await import(
  new URL("../../dist/vm/index.js", import.meta.url).href
)) as typeof Library;

const { tool, toolkit } = (await import(
  new URL("../../dist/toolkit-cli/index.js", import.meta.url).href
)) as typeof ToolkitCli;

const weather = toolkit("weather", {
  description: "Weather.",
  tools: {
    forecast: tool({
      description: "The weather of a city.",
      input: {
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
      },
      handler: ({ city }: { city: string }) => ({ city, degrees: 21 }),
    }),
  },
});

class Ours implements Peer {
  readonly #ahead: Library.Vms = new library.Vms();
  #bare: Library.Vms | undefined;

  async create({ isAhead, hasTools = false }: VmWish): Promise<PeerVm> {
    if (!isAhead) this.#bare ??= new library.Vms({ poolSize: 0 });
    const vms = isAhead ? this.#ahead : (this.#bare ?? this.#ahead);
    return new OurVm(await vms.create(hasTools ? { toolkits: [weather] } : {}));
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

  async run(code: string): Promise<{ stdout: string; exitCode: number }> {
    return this.#vm.run(code, { language: "javascript" });
  }

  async write(path: string, text: string): Promise<void> {
    await this.#vm.files.write(path, text);
  }

  async destroy(): Promise<void> {
    await this.#vm.destroy();
  }
}

servePeer(new Ours());

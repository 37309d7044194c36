// agentos-mcp from dist, what ships: as a library, over MCP and by its command line.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HostCommand } from "../../src/toolkit-cli/index.ts";
import type * as Library from "../../src/vm/index.ts";
import { McpClient } from "../mcp-client.ts";
import { ExecVm } from "./exec-vm.ts";
import { LibraryVm } from "./library-vm.ts";
import { McpVm } from "./mcp-vm.ts";
import { binFile, home, library, toolkitCli } from "./our-package.ts";
import type { Peer, PeerVm, VmPart, VmSpec } from "./peer-protocol.ts";
import { bytesToFeed } from "./run-child.ts";
import { servePeer } from "./serve-peer.ts";
import { ShellVm } from "./shell-vm.ts";

const { tool, toolkit } = toolkitCli;

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

const commands: readonly HostCommand[] = [
  {
    name: "bytes-out",
    description: "Write so many bytes",
    run: async ({ argv, writeOut }) => {
      for (const part of bytesToFeed(Number(argv[1]))) await writeOut(part);
      return 0;
    },
  },
  {
    name: "bytes-in",
    description: "Count the bytes of the input",
    run: async ({ stdin, writeOut }) => {
      let bytes = 0;
      for await (const part of stdin) bytes += part.length;
      await writeOut(new TextEncoder().encode(`${bytes}\n`));
      return 0;
    },
  },
];

const FOLDERS = 100;
const FILES_IN_FOLDER = 20;

class Ours implements Peer {
  readonly #ahead: Library.Vms = new library.Vms();
  #bare: Library.Vms | undefined;
  #client: McpClient | undefined;
  #software: string | undefined;
  #lastVm = 0;

  async create({ isAhead = true, door = "library", parts = [] }: VmSpec): Promise<PeerVm> {
    this.#lastVm += 1;
    const name = `bench${this.#lastVm}`;
    switch (door) {
      case "library":
        return this.#createInLibrary(isAhead, parts);
      case "mcp":
        return McpVm.create(await this.#connect(), name);
      case "exec":
        return new ExecVm(name);
      case "shell":
        return ShellVm.open(name);
    }
  }

  async close(): Promise<void> {
    await this.#ahead.close();
    await this.#bare?.close();
    await this.#client?.close();
  }

  async #createInLibrary(isAhead: boolean, parts: readonly VmPart[]): Promise<PeerVm> {
    if (!isAhead) this.#bare ??= new library.Vms({ poolSize: 0 });
    const vms = isAhead ? this.#ahead : (this.#bare ?? this.#ahead);
    const vm = await vms.create({
      ...(parts.includes("tools") && { toolkits: [weather] }),
      ...(parts.includes("commands") && { commands }),
      ...(parts.includes("software") && {
        software: [{ path: this.#makeSoftware(), at: "/opt/bench" }],
      }),
    });
    return new LibraryVm(vm);
  }

  /** In the temporary folder of this process, which its owner removes. */
  #makeSoftware(): string {
    if (this.#software !== undefined) return this.#software;
    this.#software = mkdtempSync(join(tmpdir(), "software-"));
    for (let i = 0; i < FOLDERS; i++) {
      const folder = join(this.#software, `package-${i % 10}`, `part-${i}`);
      mkdirSync(folder, { recursive: true });
      for (let j = 0; j < FILES_IN_FOLDER; j++) writeFileSync(join(folder, `file-${j}.js`), "x");
    }
    return this.#software;
  }

  async #connect(): Promise<McpClient> {
    if (this.#client !== undefined) return this.#client;
    const client = new McpClient(binFile, home);
    await client.initialize();
    this.#client = client;
    return client;
  }
}

servePeer(new Ours());

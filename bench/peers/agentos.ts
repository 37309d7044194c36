// agentOS (@rivet-dev/agentos-core), as its documentation uses it: one shared sidecar process,
// default software. Installed by install-peers.ts; its folder is the first argument.
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as Zod from "zod";
import { importInstalled } from "./import-installed.ts";
import type { Peer, PeerVm } from "./peer-protocol.ts";
import { servePeer } from "./serve-peer.ts";

type RunInVm = (
  text: string,
  options: { readonly output: { readonly capture: "all" }; readonly timeoutMs: number },
) => Promise<{ readonly exitCode?: number; readonly stdout?: string }>;

/** The part of its API that is used here. */
interface AgentOsVm {
  readonly process: { exec: RunInVm };
  readonly javascript: { execute: RunInVm };
  readonly filesystem: { writeFile(path: string, content: string): Promise<void> };
  dispose(): Promise<void>;
}

interface AgentOsModule {
  readonly AgentOs: { create(options?: object): Promise<AgentOsVm> };
}

const EXEC_LIMIT_MS = 170_000;

const { AgentOs } = (await importInstalled()) as AgentOsModule;

/** The zod that it has itself. */
const { z } = createRequire(join(process.argv[2] ?? ".", "entry.mjs"))("zod") as typeof Zod;

const hostFunctions = {
  weather: {
    forecast: {
      inputSchema: z.object({ city: z.string() }).describe("The weather of a city."),
      execute: ({ city }: { city: string }) => ({ city, degrees: 21 }),
    },
  },
};

class AgentOsPeerVm implements PeerVm {
  readonly #vm: AgentOsVm;

  constructor(vm: AgentOsVm) {
    this.#vm = vm;
  }

  async exec(command: string): Promise<{ stdout: string; exitCode: number }> {
    const options = { output: { capture: "all" }, timeoutMs: EXEC_LIMIT_MS } as const;
    const { exitCode = -1, stdout = "" } = await this.#vm.process.exec(command, options);
    return { stdout, exitCode };
  }

  async run(code: string): Promise<{ stdout: string; exitCode: number }> {
    const options = { output: { capture: "all" }, timeoutMs: EXEC_LIMIT_MS } as const;
    const { exitCode = -1, stdout = "" } = await this.#vm.javascript.execute(code, options);
    return { stdout, exitCode };
  }

  async write(path: string, text: string): Promise<void> {
    await this.#vm.filesystem.writeFile(path, text);
  }

  async destroy(): Promise<void> {
    await this.#vm.dispose();
  }
}

const peer: Peer = {
  create: async ({ parts = [] }) =>
    new AgentOsPeerVm(
      await AgentOs.create(parts.includes("tools") ? { hostFunctions } : undefined),
    ),
  close: async () => undefined,
};
servePeer(peer);

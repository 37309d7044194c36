// agentOS (@rivet-dev/agentos-core), as its documentation uses it: one shared sidecar process,
// default software. Installed by install-peers.ts; its folder is the first argument.
import { importInstalled } from "./import-installed.ts";
import type { Peer, PeerVm } from "./peer-protocol.ts";
import { servePeer } from "./serve-peer.ts";

/** The part of its API that is used here. */
interface AgentOsVm {
  readonly process: {
    exec(
      command: string,
      options: { readonly output: { readonly capture: "all" }; readonly timeoutMs: number },
    ): Promise<{ readonly exitCode?: number; readonly stdout?: string }>;
  };
  readonly filesystem: { writeFile(path: string, content: string): Promise<void> };
  dispose(): Promise<void>;
}

interface AgentOsModule {
  readonly AgentOs: { create(): Promise<AgentOsVm> };
}

const EXEC_LIMIT_MS = 170_000;

const { AgentOs } = (await importInstalled()) as AgentOsModule;

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

  async write(path: string, text: string): Promise<void> {
    await this.#vm.filesystem.writeFile(path, text);
  }

  async destroy(): Promise<void> {
    await this.#vm.dispose();
  }
}

const peer: Peer = {
  create: async () => new AgentOsPeerVm(await AgentOs.create()),
  close: async () => undefined,
};
servePeer(peer);

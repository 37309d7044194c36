import type { FileSystem } from "../../../kernel/index.ts";
import type { Sandbox } from "../../provider.ts";
import { AgentSandbox } from "./agent-sandbox.ts";
import type { Machine } from "./machine.ts";

/** Shows the workspace of a sandbox. */
export type OpenFiles = (sandbox: Sandbox) => Promise<FileSystem>;

/** The sandboxes of one provider that this server has open, until they are destroyed. */
export class OpenSandboxes {
  readonly #sandboxes = new Map<string, AgentSandbox>();

  find(ref: string): Sandbox | undefined {
    return this.#sandboxes.get(ref);
  }

  /** Opened stopped. */
  async open(machine: Machine, openFiles: OpenFiles): Promise<AgentSandbox> {
    const sandbox = await AgentSandbox.open({
      machine,
      openFiles,
      onDestroyed: () => this.forget(machine.ref),
    });
    this.#sandboxes.set(machine.ref, sandbox);
    return sandbox;
  }

  /** One that could not be made whole. */
  forget(ref: string): void {
    this.#sandboxes.delete(ref);
  }
}

import { type FileSystem, MemoryFileSystem } from "../../kernel/index.ts";
import {
  DockerProvider,
  LocalProvider,
  type SandboxProvider,
} from "../../sandbox-escalation/index.ts";
import type { SandboxConfig } from "../config/sandbox-config.ts";

export interface ProviderParts {
  /** Where a provider keeps what it knows of its sandboxes. */
  readonly stateDirectory: string;
  /** The files of a workspace; undefined for one whose VM is gone. */
  readonly filesOf: (workspace: string) => FileSystem | undefined;
}

export function makeProvider(config: SandboxConfig, parts: ProviderParts): SandboxProvider {
  const { provider = "local", pull: canPull = false } = config;
  const { stateDirectory, filesOf } = parts;
  // A sandbox that is only destroyed shows no files.
  const openFiles = async ({ workspace }: { readonly workspace: string }): Promise<FileSystem> =>
    filesOf(workspace) ?? new MemoryFileSystem({ now: Date.now });
  if (provider === "docker") return new DockerProvider({ env: process.env, openFiles, canPull });
  return new LocalProvider({ stateDirectory, openFiles });
}

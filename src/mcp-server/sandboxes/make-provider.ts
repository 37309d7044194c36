import { type FileSystem, MemoryFileSystem } from "../../kernel/index.ts";
import {
  DaytonaProvider,
  DockerProvider,
  E2bProvider,
  ExecFiles,
  LocalProvider,
  MicrosandboxProvider,
  type Sandbox,
  SandboxAgentProvider,
  type SandboxProvider,
} from "../../sandbox-escalation/index.ts";
import type { ProviderConfig } from "../config/sandbox-providers-config.ts";

export interface ProviderParts {
  /** The operator's environment: keys come from there. */
  readonly env: NodeJS.ProcessEnv;
  /** Where providers keep what they know of their sandboxes. */
  readonly stateDirectory: string;
  /** The files of a workspace; undefined for one whose VM is gone. */
  readonly filesOf: (workspace: string) => FileSystem | undefined;
}

export function makeProvider(config: ProviderConfig, parts: ProviderParts): SandboxProvider {
  const { env, stateDirectory, filesOf } = parts;
  // A sandbox that is only destroyed shows no files.
  const openFiles = async ({ workspace }: { readonly workspace: string }): Promise<FileSystem> =>
    filesOf(workspace) ?? new MemoryFileSystem({ now: Date.now });
  switch (config.name) {
    case "local":
      return new LocalProvider({ stateDirectory, openFiles });
    case "docker":
      return new DockerProvider({ env, openFiles, canPull: config.pull ?? false });
    case "microsandbox": {
      const { image, pull: canPull = false, tryBoot = false } = config;
      const boot = tryBoot ? { bootImage: image } : {};
      return new MicrosandboxProvider({ openFiles: openElsewhere, canPull, ...boot });
    }
    case "e2b": {
      const apiKey = readSecret(env, config.apiKey, "E2B_API_KEY");
      const { apiUrl, sandboxUrl } = config;
      const urls = {
        ...(apiUrl === undefined ? {} : { apiUrl }),
        ...(sandboxUrl === undefined ? {} : { sandboxUrl }),
      };
      return new E2bProvider({
        access: apiKey === undefined ? undefined : { apiKey, ...urls },
        openFiles: openElsewhere,
      });
    }
    case "daytona":
      return new DaytonaProvider({ access: findDaytona(config, env), openFiles: openElsewhere });
    case "sandbox-agent": {
      const token = readSecret(env, config.token, "SANDBOX_AGENT_TOKEN");
      const { url, directory } = config;
      const place = directory === undefined ? { url } : { url, directory };
      return new SandboxAgentProvider({
        access: token === undefined ? undefined : { ...place, token },
        openFiles: openElsewhere,
      });
    }
  }
}

/** What the file does not say, the variables of Daytona's own programs say. */
function findDaytona(config: ProviderConfig & { name: "daytona" }, env: NodeJS.ProcessEnv) {
  const apiKey = readSecret(env, config.apiKey, "DAYTONA_API_KEY");
  const apiUrl = config.apiUrl ?? env["DAYTONA_API_URL"];
  const target = config.target ?? env["DAYTONA_TARGET"];
  if (apiKey === undefined) return undefined;
  return {
    apiKey,
    ...(apiUrl === undefined ? {} : { apiUrl }),
    ...(target === undefined ? {} : { target }),
  };
}

/** Whether the workspace of its sandboxes is the one on this machine. */
export function sharesWorkspace({ name }: ProviderConfig): boolean {
  return name === "local" || name === "docker";
}

/** The workspace of a sandbox that is not on this machine. */
async function openElsewhere(sandbox: Sandbox): Promise<FileSystem> {
  return new ExecFiles(sandbox);
}

/** Undefined where the operator has not set it. */
function readSecret(
  env: NodeJS.ProcessEnv,
  setting: { readonly env: string } | undefined,
  usual: string,
): string | undefined {
  const value = env[setting?.env ?? usual];
  return value === "" ? undefined : value;
}

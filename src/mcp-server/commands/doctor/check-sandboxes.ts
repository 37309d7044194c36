// What the doctor says of sandboxes: whether each provider of the configuration can be used here.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Check } from "../../../vm/index.ts";
import { providersOf, type SandboxConfig } from "../../config/sandbox-config.ts";
import type { ProviderConfig } from "../../config/sandbox-providers-config.ts";
import { makeProvider } from "../../sandboxes/make-provider.ts";

const group = "configuration";
const name = "sandboxes";
/** A vendor that takes longer is as good as none. */
const LIMIT_MS = 30_000;

/** Providers are asked what they cost nothing for: nothing is made at a vendor's. */
export async function checkSandboxes(
  config: SandboxConfig | undefined,
  env: NodeJS.ProcessEnv,
): Promise<readonly Check[]> {
  if (config === undefined) return [];
  const stateDirectory = await mkdtemp(join(tmpdir(), "agentos-doctor-"));
  try {
    return await Promise.all(
      providersOf(config).map((provider) => checkProvider(provider, stateDirectory, env)),
    );
  } finally {
    await rm(stateDirectory, { recursive: true, force: true });
  }
}

async function checkProvider(
  config: ProviderConfig,
  stateDirectory: string,
  env: NodeJS.ProcessEnv,
): Promise<Check> {
  if (config.policy === "deny")
    return { group, name, state: "ok", detail: `${config.name} is refused by the policy` };
  try {
    const provider = makeProvider(config, { env, stateDirectory, filesOf: () => undefined });
    const probe = await provider.probe(AbortSignal.timeout(LIMIT_MS));
    if (probe.isUsable) return { group, name, state: "ok", detail: `${config.name} can be used` };
    return warningOf(config, probe.reason, probe.fix);
  } catch (error) {
    return warningOf(config, error instanceof Error ? error.message : String(error));
  }
}

/** VMs run without sandboxes, too. */
function warningOf({ name: provider }: ProviderConfig, reason: string, fix?: string): Check {
  const remedy = fix === undefined ? reason : `${reason} To allow it: ${fix}`;
  return { group, name, state: "warning", detail: `${provider} cannot be used`, remedy };
}

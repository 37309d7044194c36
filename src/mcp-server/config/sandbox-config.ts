// `sandbox` of the configuration: whether VMs may have full Linux machines, whose, and how much of them.
import { z } from "zod";
import {
  type ProviderConfig,
  parseProvider,
  providerNames,
  providersConfig,
} from "./sandbox-providers-config.ts";
import { common, number, wholeNumber } from "./sandbox-values.ts";

const commandName = z
  .string()
  .refine(
    (name) =>
      /^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,62}$/.test(name) &&
      name !== "sandbox" &&
      name !== "agentos" &&
      !name.startsWith("agentos-"),
    { error: "must be the name of a command, and not one of ours" },
  );

/** Of all sandboxes of a VM, or of a server in a day. */
const use = z.strictObject({
  starts: wholeNumber(0, 1_000_000).optional(),
  minutes: number(0, 1_000_000).optional(),
  costUsd: number(0, 1_000_000).optional(),
});

/** For the one provider of `provider`; each of `providers` has its own. */
const ofOneProvider = {
  image: z.string().min(1).max(4096).optional(),
  pull: z.boolean().optional(),
};

const allOfIt = z.strictObject({
  ...common,
  ...ofOneProvider,
  provider: z.enum(providerNames).optional(),
  /** In order of preference. */
  providers: providersConfig.optional(),
  perVm: use.optional(),
  perDay: use.optional(),
  /** Sandboxes that run at one time. */
  maxRunning: wholeNumber(1, 10_000).optional(),
  /** Commands of VMs that run in the sandbox as if they were there. */
  commands: z.array(commandName).max(200).optional(),
});

export const sandboxConfig = allOfIt.superRefine((config, context) => {
  if (config.providers === undefined) {
    const { provider = "local", image, pull } = config;
    parseProvider(provider, withoutUndefined({ image, pull }), context, []);
    return;
  }
  for (const key of ["provider", "image", "pull"] as const) {
    if (config[key] === undefined) continue;
    const message = 'belongs into one of "providers", where there are those';
    context.addIssue({ code: "custom", path: [key], message });
  }
});

export type SandboxConfig = z.output<typeof sandboxConfig>;

/** Those that VMs are offered, in order of preference, each with what is set for all. */
export function providersOf(config: SandboxConfig): readonly ProviderConfig[] {
  const { policy, limits, costUsdPerHour, env, network } = config;
  const all = withoutUndefined({ policy, limits, costUsdPerHour, env, network });
  const providers = config.providers ?? [onlyProvider(config)];
  return providers.map((own) => ({
    ...all,
    ...own,
    ...(limits === undefined ? {} : { limits: { ...limits, ...own.limits } }),
    ...(env === undefined ? {} : { env: { ...env, ...own.env } }),
  }));
}

/** As it was checked when the configuration was read. */
function onlyProvider({ provider = "local", image, pull }: SandboxConfig): ProviderConfig {
  const settings = { name: provider, ...withoutUndefined({ image, pull }) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sandboxConfig lets nothing else pass
  return settings as ProviderConfig;
}

function withoutUndefined<T extends object>(settings: T): Partial<T> {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- some of its own entries
  return Object.fromEntries(entries) as Partial<T>;
}

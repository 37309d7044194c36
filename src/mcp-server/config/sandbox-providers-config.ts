// The settings of each provider of sandboxes.
import { z } from "zod";
import { suggest } from "../suggest.ts";
import { common, secret } from "./sandbox-values.ts";

const image = z.string().min(1).max(200);

/** The host's own tools, a prepared root, or what `sandbox snapshot` kept. */
const local = z.strictObject({
  ...common,
  image: z
    .string()
    .max(4096)
    .refine((name) => name.startsWith("/") || /^[a-z0-9][a-z0-9._-]{0,62}$/.test(name), {
      error: 'must be "host", the path of a prepared root, or the name of a snapshot',
    })
    .optional(),
});

function ociImage(provider: string) {
  const error = `must name an image for the provider ${provider}, such as "debian:13"`;
  const name = z.string({ error }).min(1).max(200);
  return name.refine((value) => value !== "host", { error });
}

const docker = z.strictObject({
  ...common,
  image: ociImage("docker"),
  /** Whether an image that is not on this machine may be fetched. */
  pull: z.boolean().optional(),
});

const microsandbox = z.strictObject({
  ...common,
  image: ociImage("microsandbox"),
  /** Whether an image that is not on this machine may be fetched. */
  pull: z.boolean().optional(),
  /** Whether the image is booted once, to be sure that it can be. */
  tryBoot: z.boolean().optional(),
});

const e2b = z.strictObject({
  ...common,
  /** A template of E2B's. */
  image: image.optional(),
  apiKey: secret.optional(),
  /** Elsewhere than E2B's own cloud. */
  apiUrl: z.url().optional(),
  sandboxUrl: z.url().optional(),
});

const daytona = z.strictObject({
  ...common,
  /** A snapshot of Daytona's, or "image:" and the name of an image. */
  image: image.optional(),
  apiKey: secret.optional(),
  /** Elsewhere than Daytona's own cloud. */
  apiUrl: z.url().optional(),
  /** The region. */
  target: z.string().min(1).max(100).optional(),
});

const sandboxAgent = z.strictObject({
  ...common,
  url: z.url({ error: 'must be where the server is, such as "https://sandbox.example.org"' }),
  token: secret.optional(),
  /** Where sandboxes are on its machine. */
  directory: z.string().min(1).max(200).optional(),
  image: z.literal("host").optional(),
  /** Nothing there holds it back, and whoever chooses it is to know. */
  network: z.literal("full", { error: 'must be "full": the machine has the network it has' }),
});

/** One line for each provider; who makes it is in sandboxes/make-provider.ts. */
const schemas = {
  local,
  docker,
  microsandbox,
  e2b,
  daytona,
  "sandbox-agent": sandboxAgent,
} as const;

type Schemas = typeof schemas;
export type ProviderName = keyof Schemas;
/** One provider's settings, with its name. */
export type ProviderConfig = {
  [N in ProviderName]: { readonly name: N } & z.output<Schemas[N]>;
}[ProviderName];

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table are its type
export const providerNames = Object.keys(schemas) as ProviderName[];

/** Adds what is wrong to the context, below `path`. */
export function parseProvider(
  name: string,
  value: unknown,
  context: z.RefinementCtx,
  path: readonly string[],
): ProviderConfig | undefined {
  const known = providerNames.find((one) => one === name);
  if (known === undefined) {
    const close = suggest(name, providerNames);
    const hint =
      close === undefined ? `known are ${providerNames.join(", ")}` : `did you mean ${close}?`;
    context.addIssue({ code: "custom", path: [...path], message: `is no provider (${hint})` });
    return undefined;
  }
  const result = schemas[known].safeParse(value);
  if (!result.success) {
    const keys = Object.keys(schemas[known].shape);
    for (const issue of result.error.issues)
      context.addIssue({
        code: "custom",
        path: [...path, ...issue.path],
        message: wordsOf(issue, keys),
      });
    return undefined;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of that name has made it
  return { name: known, ...result.data } as ProviderConfig;
}

/** By name, in order of preference. */
export const providersConfig = z
  .record(z.string(), z.unknown())
  .transform((entries, context): readonly ProviderConfig[] => {
    const names = Object.keys(entries);
    if (names.length === 0) context.addIssue("must name a provider");
    return names.flatMap((name) => parseProvider(name, entries[name], context, [name]) ?? []);
  });

function wordsOf(issue: z.core.$ZodIssue, keys: readonly string[]): string {
  if (issue.code === "unrecognized_keys") {
    const isTop = issue.path.length === 0;
    return issue.keys
      .map((key) => {
        const close = isTop ? suggest(key, keys) : undefined;
        return `has no setting ${key}${close === undefined ? "" : ` (did you mean ${close}?)`}`;
      })
      .join("; ");
  }
  if (issue.code === "invalid_type" && issue.message.startsWith("Invalid"))
    return `must be of type ${issue.expected}`;
  if (issue.code === "invalid_value" && issue.message.startsWith("Invalid"))
    return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
  return issue.message;
}

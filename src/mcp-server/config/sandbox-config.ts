// `sandbox` of the configuration: whether VMs may have full Linux machines, whose, and how much of them.
import { z } from "zod";

function number(min: number, max: number): z.ZodNumber {
  return z.number().refine((value) => value >= min && value <= max, {
    error: `must be a number from ${min} to ${max}`,
  });
}

function wholeNumber(min: number, max: number): z.ZodNumber {
  return z.number().refine((value) => Number.isInteger(value) && value >= min && value <= max, {
    error: `must be a whole number from ${min} to ${max}`,
  });
}

const policy = z.enum(["deny", "ask", "auto"]);
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
const host = z
  .string()
  .min(1)
  .max(253)
  .refine((name) => /^(\*\.)?[A-Za-z0-9.:[\]_-]+$/.test(name), {
    error: 'must be a host such as "example.org", "*.example.org" or "example.org:8443"',
  });

/** Of one sandbox. */
const limits = z.strictObject({
  memoryMb: wholeNumber(64, 1_048_576).optional(),
  pids: wholeNumber(8, 100_000).optional(),
  cpus: number(0.1, 1024).optional(),
  diskMb: wholeNumber(16, 16_777_216).optional(),
  lifetimeMinutes: wholeNumber(1, 43_200).optional(),
  idleSeconds: wholeNumber(5, 86_400).optional(),
});

/** Of all sandboxes of a VM, or of a server in a day. */
const use = z.strictObject({
  starts: wholeNumber(0, 1_000_000).optional(),
  minutes: number(0, 1_000_000).optional(),
  costUsd: number(0, 1_000_000).optional(),
});

const allOfIt = z.strictObject({
  /** Before a sandbox is made. */
  policy: policy.optional(),
  provider: z.enum(["local", "docker"]).optional(),
  image: z.string().min(1).max(200).optional(),
  /** Whether an image that is not on this machine may be fetched. */
  pull: z.boolean().optional(),
  limits: limits.optional(),
  perVm: use.optional(),
  perDay: use.optional(),
  /** Sandboxes that run at one time. */
  maxRunning: wholeNumber(1, 10_000).optional(),
  costUsdPerHour: number(0, 10_000).optional(),
  /** Commands of VMs that run in the sandbox as if they were there. */
  commands: z.array(commandName).max(200).optional(),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).optional(),
  /** What sandboxes may connect to; nothing where left out. */
  network: z
    .strictObject({
      allow: z.array(host).max(1000).optional(),
      private: z.array(host).max(100).optional(),
    })
    .optional(),
});

export const sandboxConfig = allOfIt
  .refine(
    ({ provider, image }) => provider !== "docker" || (image !== undefined && image !== "host"),
    { error: 'must name an image for the provider docker, such as "debian:13"', path: ["image"] },
  )
  .refine(
    ({ provider, image }) => provider === "docker" || image === undefined || image === "host",
    {
      error: "is for docker: a local sandbox has the host's own tools",
      path: ["image"],
    },
  );

export type SandboxConfig = z.output<typeof sandboxConfig>;

// Values that settings of sandboxes are made of.
import { z } from "zod";

export function number(min: number, max: number): z.ZodNumber {
  return z.number().refine((value) => value >= min && value <= max, {
    error: `must be a number from ${min} to ${max}`,
  });
}

export function wholeNumber(min: number, max: number): z.ZodNumber {
  return z.number().refine((value) => Number.isInteger(value) && value >= min && value <= max, {
    error: `must be a whole number from ${min} to ${max}`,
  });
}

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Where a secret is found; never the secret: the file is copied about and shown. */
export const secret = z.strictObject(
  { env: z.string().regex(variableName, { error: "must be the name of a variable" }) },
  { error: 'must be { "env": "NAME" }: the secret itself stays out of this file' },
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

/** What every provider has, and what all of them have unless one says otherwise. */
export const common = {
  /** Before a sandbox is made. */
  policy: z.enum(["deny", "ask", "auto"]).optional(),
  limits: limits.optional(),
  costUsdPerHour: number(0, 10_000).optional(),
  env: z.record(z.string().regex(variableName), z.string()).optional(),
  /** What sandboxes may connect to; nothing where left out. */
  network: z
    .strictObject({
      allow: z.array(host).max(1000).optional(),
      private: z.array(host).max(100).optional(),
    })
    .optional(),
};

export type CommonSettings = z.output<z.ZodObject<typeof common>>;

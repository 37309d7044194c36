import type { Policy } from "./policy.ts";

/** What of the host's variables a guest may read; what it would have to ask for, it does not get. */
export function readableEnvironment(
  policy: Policy,
  env: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const isReadable = (name: string): boolean => policy.decide("env", "read", name).mode === "allow";
  return new Map([...env].filter(([name]) => isReadable(name)));
}

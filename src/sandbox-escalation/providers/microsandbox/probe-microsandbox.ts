import { randomBytes } from "node:crypto";
import type { Probe } from "../../provider.ts";
import { codeOfFailure, describeFailure, type Microsandbox } from "./microsandbox-library.ts";
import { microsandboxAbilities } from "./microsandbox-machine.ts";

/** Of what is installed, and what `msb doctor` finds: a device that is there need not boot anything. */
export async function probeMicrosandbox(
  found: Microsandbox | undefined,
  signal?: AbortSignal,
): Promise<Probe> {
  if (found === undefined)
    return {
      isUsable: false,
      reason: "The library microsandbox is missing, or is not for this machine.",
      fix: "npm install -g microsandbox",
    };
  const { status, text } = await found.diagnose(signal);
  signal?.throwIfAborted();
  if (status === 0) return { isUsable: true, abilities: microsandboxAbilities };
  return { isUsable: false, ...parseDoctor(text) };
}

/** Its error, with the first line below it; what is below that says what to do. */
export function parseDoctor(text: string): { readonly reason: string; readonly fix: string } {
  const lines = text.split("\n").map((line) => line.trim());
  const at = lines.findIndex((line) => line.startsWith("error:"));
  if (at < 0) return { reason: "microsandbox cannot run here.", fix: "see: msb doctor" };
  const [detail, ...advice] = lines
    .slice(at + 1)
    .filter((line) => line.startsWith("→"))
    .map((line) => line.slice(1).trim());
  const what = lines[at]?.slice("error:".length).trim() ?? "";
  const reason = `microsandbox cannot run here: ${what}${detail === undefined ? "" : `; ${detail}`}.`;
  const fix = advice.length === 0 ? "see: msb doctor" : advice.join(", or ");
  return { reason: reason.slice(0, 400), fix: fix.slice(0, 400) };
}

/**
 * Boots the image once and removes it: the only proof. Seconds where it works, half a minute where it does not. An image that
 * is not on this machine proves nothing, and is not fetched for it.
 */
export async function tryBoot({ library }: Microsandbox, image: string): Promise<Probe> {
  const usable: Probe = { isUsable: true, abilities: microsandboxAbilities };
  const name = `agentos-probe-${randomBytes(6).toString("hex")}`;
  try {
    const builder = library.Sandbox.builder(name).image(image).cpus(1).memory(PROBE_MB);
    await builder.pullPolicy("never").disableNetwork().quietLogs().create();
    return usable;
  } catch (error) {
    if (codeOfFailure(error) === "image" || codeOfFailure(error) === "imageNotFound") return usable;
    const reason = `It does not boot here. ${describeFailure(error)}`;
    return { isUsable: false, reason, fix: "see: msb doctor" };
  } finally {
    await removeProbe(library, name);
  }
}

async function removeProbe(library: Microsandbox["library"], name: string): Promise<void> {
  try {
    const left = await library.Sandbox.get(name);
    await left.destroy({ force: true, timeoutMs: 5000 });
  } catch (error) {
    if (codeOfFailure(error) !== "sandboxNotFound") throw error;
  }
}

/** Enough for a kernel and a shell. */
const PROBE_MB = 256;

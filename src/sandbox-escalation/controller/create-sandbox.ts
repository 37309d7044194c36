import type { EscalationRequest, Offer } from "../policy/offer.ts";
import type { Sandbox } from "../provider.ts";
import type { ControllerOptions } from "./controller-options.ts";

/** A new sandbox, the VM's files in it. One that they cannot follow to is not kept. SandboxError. */
export async function createSandbox(
  options: ControllerOptions,
  offer: Offer,
  { reason, signal }: EscalationRequest,
): Promise<Sandbox> {
  const { vm, owner, workspace, proxySocket, files, disposal } = options;
  const { image, limits, network, env, provider } = offer;
  const proxy = network === "proxy" ? { proxySocket: await proxySocket(offer) } : {};
  const sandbox = await provider.create(
    { owner, vm, reason, image, workspace, limits, network, env, ...proxy },
    signal,
  );
  try {
    await files?.follow(sandbox, signal);
    return sandbox;
  } catch (error) {
    await disposal.dispose(vm, sandbox);
    throw error;
  }
}

/** A stopped one runs again, with what changed in the VM meanwhile; if that fails it is stopped again. */
export async function resumeSandbox(
  { files }: ControllerOptions,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<Sandbox> {
  await sandbox.resume(signal);
  try {
    await files?.follow(sandbox, signal);
    return sandbox;
  } catch (error) {
    // Whether it stopped or not, it is the stopped one: its end is seen to as that one's.
    await sandbox.stop().catch(() => undefined);
    throw error;
  }
}

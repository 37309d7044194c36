/** The front door: when and how work leaves a VM for a full Linux machine. */
export { MOUNT_POINT, WORKSPACE } from "./command/map-path.ts";
export {
  type FindController,
  sandboxCommand,
  transparentCommand,
} from "./command/sandbox-command.ts";
export { Disposal } from "./controller/disposal.ts";
export { SandboxController } from "./controller/sandbox-controller.ts";
export { EgressProxy } from "./egress/egress-proxy.ts";
export { ExecFiles } from "./files/exec/exec-files.ts";
export { MovingWorkspace } from "./files/moving/moving-workspace.ts";
export { type UseLimits, UseMeter } from "./limits-of-use/use-meter.ts";
export type { AskEscalation, EscalationPolicy, EscalationQuestion, Offer } from "./policy/offer.ts";
export { OfferBoard } from "./policy/offer-board.ts";
export { type NetworkMode, type Sandbox, SandboxError, type SandboxProvider } from "./provider.ts";
export { DaytonaProvider } from "./providers/daytona/daytona-provider.ts";
export { DockerProvider } from "./providers/docker/docker-provider.ts";
export { E2bProvider } from "./providers/e2b/e2b-provider.ts";
export { findHostIds } from "./providers/local/host-ids.ts";
export { LocalProvider } from "./providers/local/local-provider.ts";
export { isServerAlive, readServerMark } from "./providers/local/server-mark.ts";
export { MicrosandboxProvider } from "./providers/microsandbox/microsandbox-provider.ts";
export { SandboxAgentProvider } from "./providers/sandbox-agent/sandbox-agent-provider.ts";
export { reapOrphans } from "./reaper/reap-orphans.ts";
export { RecordLog } from "./records/record-log.ts";
export { sandboxToolkit } from "./toolkit.ts";

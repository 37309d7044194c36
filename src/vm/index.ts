/** The library: VMs for a host program. */
export {
  type AuditRecord,
  type DirectoryEntry,
  isKernelError,
  KernelError,
  type LimitName,
  type LimitValues,
  type LimitWarning,
  limitTable,
  type PermissionAnswer,
  type PermissionRequest,
  type PermissionsConfig,
  type Stat,
} from "../kernel/index.ts";
export type {
  ApprovalAnswer,
  ApprovalDecision,
  ApprovalRequest,
  ApprovalScope,
  ApproveOptions,
  Approver,
  PendingApproval,
} from "./approvals/approval.ts";
export { type ApprovalInput, approvalInput } from "./approvals/approval-input.ts";
export { Approvals, type ApprovalsEvents, type ApprovalsOptions } from "./approvals/approvals.ts";
export type { RememberedApproval } from "./approvals/remembered-approvals.ts";
export { Disk } from "./broker/folders/disk.ts";
export { HostFolder, type HostFolderOptions } from "./broker/folders/host-folder.ts";
export type { ToolCallRecord, VmAuditRecord } from "./broker/toolkits/tool-audit.ts";
export type { CallSummary, CodeCall } from "./code-mode/call-log.ts";
export type { CodeMode, CodeStartOptions, RefusedCode } from "./code-mode/code-mode.ts";
export { type CodeOptions, type CodeResult, CodeRun } from "./code-mode/code-run.ts";
export type { TypeProblem } from "./code-mode/type-check.ts";
export { diagnose } from "./diagnose-lazily.ts";
export type { Check } from "./doctor/check.ts";
export type { DoctorReport } from "./doctor/diagnose.ts";
export { formatReport } from "./doctor/format-report.ts";
export { Exec, type ExecState, type ExecStatus, type OutputListener } from "./exec.ts";
export type { ExecOptions, ExecResult, SpawnOptions } from "./exec-options.ts";
export { GuestLog } from "./guest-log.ts";
export { HomeSpace, type HomeSpaceOptions } from "./home-space.ts";
export { HostError, type HostErrorCode, hostErrors } from "./host-error.ts";
export { type HostToolCall, HostToolkits, type HostToolkitsOptions } from "./host-toolkits.ts";
export type { DiskSpace } from "./log-space.ts";
export { checkMemory } from "./memory-options.ts";
export { OutputLog } from "./output-log.ts";
export type { MakeMounts, MountedVm } from "./own-mounts.ts";
export type { EvaluateOptions, Evaluation, Language, RunOptions } from "./run-code.ts";
export { type PlacedSoftware, placeSoftware, type SoftwareOption } from "./software-options.ts";
export { Vm, type VmEvents, type VmInfo } from "./vm.ts";
export type { ReadOptions, VmFiles, WriteOptions } from "./vm-files.ts";
export type { VmMount } from "./vm-mount.ts";
export type { AnswerPermission, VmOptions } from "./vm-options.ts";
export type { TracedEvent, TraceOptions } from "./vm-trace.ts";
export { type GotVm, type VmHistory, Vms, type VmsOptions } from "./vms.ts";
export type { Actor, ProcessInfo } from "./wire/cell-methods.ts";
export type { WatchEvent } from "./wire/from-cell.ts";
export type { PtyRequest, ScreenView } from "./wire/messages.ts";

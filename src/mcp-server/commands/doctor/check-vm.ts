// Whether a VM starts with the configuration, found out by starting one.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Check, HostError, isKernelError, Vms } from "../../../vm/index.ts";
import type { ServerConfig } from "../../config/server-config.ts";
import { vmsOptions } from "../../config/vms-options.ts";

/** A VM that runs nothing in this time does not work. */
const LIMIT_MS = 30_000;

/** Limits that are too small, folders that are not there, a policy that refuses the shell: the first use would tell. */
export async function checkVm(config: ServerConfig, file: string): Promise<Check> {
  const shared = { group: "configuration", name: "VM" } as const;
  const logDirectory = mkdtempSync(join(tmpdir(), "agentos-doctor-"));
  const vms = new Vms({ ...vmsOptions(config), poolSize: 0, logDirectory, log: () => undefined });
  try {
    const vm = await vms.create();
    const { exitCode, stderr } = await vm.exec("true", { timeoutMs: LIMIT_MS });
    if (exitCode === 0) return { ...shared, state: "ok", detail: "one starts, and runs a command" };
    const detail = `a VM runs no command: ${stderr.trim() || `status ${exitCode}`}`;
    return { ...shared, state: "failed", detail, remedy: `Change ${file}.` };
  } catch (error) {
    if (!(error instanceof HostError) && !isKernelError(error)) throw error;
    const detail = isKernelError(error) ? `a VM runs no command: ${error.words}` : error.message;
    return { ...shared, state: "failed", detail, remedy: `Change ${file}.` };
  } finally {
    await vms.close();
    rmSync(logDirectory, { recursive: true, force: true });
  }
}

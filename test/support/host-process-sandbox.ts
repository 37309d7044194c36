import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ExecHost } from "../../src/sandbox-escalation/files/exec/exec-agent.ts";
import type { ProcessEnd, SandboxProcess } from "../../src/sandbox-escalation/provider.ts";

/** Runs a sandbox's processes as plain ones of this host, in a directory: nothing is kept in or out. */
export function hostProcesses(cwd: string, shell = "sh"): ExecHost {
  return {
    cwd,
    async spawn([, ...args], { cwd: at, env }) {
      const child = spawn(shell, args, { cwd: at, env: { PATH: process.env["PATH"], ...env } });
      const ended = once(child, "exit").then(([code]): ProcessEnd => ({ status: Number(code) }));
      child.stdin.on("error", () => undefined);
      return {
        id: String(child.pid),
        output: child.stdout,
        errors: child.stderr,
        ended,
        async writeInput(bytes) {
          if (!child.stdin.write(bytes)) await once(child.stdin, "drain");
        },
        async closeInput() {
          child.stdin.end();
        },
        async resize() {},
        async kill() {
          child.kill("SIGKILL");
        },
      } satisfies SandboxProcess;
    },
  };
}

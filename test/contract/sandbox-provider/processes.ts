import { describe, expect, it } from "vitest";
import type { ContractContext } from "../sandbox-provider-contract.ts";
import { readUntil, runInSandbox, sh } from "./run-in-sandbox.ts";
import { makeSleeper } from "./sleeper.ts";

export function describeProcesses({ sandbox, can }: ContractContext): void {
  describe("processes", () => {
    it("runs a command with its words as they are", async () => {
      const argv = ["printf", "[%s]", "a b", "", "$HOME", "*", "ü\n"];
      expect(await runInSandbox(sandbox(), argv)).toEqual({
        status: 0,
        stdout: "[a b][][$HOME][*][ü\n]",
        stderr: "",
      });
    });

    it("keeps stdout and stderr apart and answers the exit code", async () => {
      const run = await sh(sandbox(), "echo out; echo err >&2; exit 42");
      expect(run).toEqual({ status: 42, stdout: "out\n", stderr: "err\n" });
    });

    it("tells a process that exits with 130 from one that a signal ended", async () => {
      expect((await sh(sandbox(), "exit 130")).status).toBe(130);
      expect((await sh(sandbox(), "kill -TERM $$")).status).toBe(143);
    });

    it("answers 127 for a command that is not there, with words", async () => {
      const run = await runInSandbox(sandbox(), ["no-such-command-here"]);
      expect(run.status).toBe(127);
      expect(run.stderr).toContain("no-such-command-here");
    });

    it("answers 126 for a file that cannot be run", async () => {
      const run = await runInSandbox(sandbox(), ["/etc/passwd"]);
      expect(run.status).toBe(126);
    });

    it("gives the variables it is told, and none of the server's", async () => {
      process.env["SANDBOX_CONTRACT_CANARY"] = "leaked";
      try {
        const run = await sh(sandbox(), 'printf "%s|" "$A" "$B"; env', {
          env: { A: "1", B: "x y=\n" },
        });
        expect(run.stdout.startsWith("1|x y=\n|")).toBe(true);
        expect(run.stdout).not.toContain("CANARY");
      } finally {
        delete process.env["SANDBOX_CONTRACT_CANARY"];
      }
    });

    it("runs in the directory it is told", async () => {
      expect((await sh(sandbox(), "pwd", { cwd: "/usr/bin" })).stdout).toBe("/usr/bin\n");
      expect((await sh(sandbox(), "pwd")).stdout).toBe(`${sandbox().cwd}\n`);
    });

    it("refuses a directory that is not there", async () => {
      const run = await sh(sandbox(), "pwd", { cwd: "/no/such/place" });
      expect(run.status).not.toBe(0);
      expect(run.stdout).toBe("");
    });

    it("refuses a NUL in a word, and no words at all", async () => {
      await expect(runInSandbox(sandbox(), ["echo", "a\0b"])).rejects.toThrow(/NUL/);
      await expect(runInSandbox(sandbox(), [])).rejects.toThrow(/command/i);
    });

    it("lets processes of two commands meet", async () => {
      const server = await sandbox().spawn(
        ["sh", "-c", "rm -f meet; mkfifo meet; echo ready; cat meet"],
        { cwd: sandbox().cwd, env: {} },
      );
      expect(await readUntil(server, "ready\n")).toBe("ready\n");
      expect((await sh(sandbox(), "echo hello > meet")).status).toBe(0);
      expect((await server.ended).status).toBe(0);
    });

    it("runs many at a time", async () => {
      const runs = Array.from({ length: 12 }, (_, n) => sh(sandbox(), `sleep 0.1; echo ${n}`));
      const outputs = (await Promise.all(runs)).map((run) => run.stdout);
      expect(outputs).toEqual(Array.from({ length: 12 }, (_, n) => `${n}\n`));
    });

    can("signals", "lets a process catch a signal", async () => {
      const line = 'trap "echo caught; exit 9" INT; echo ready; while :; do sleep 0.05; done';
      const caught = await sandbox().spawn(["sh", "-c", line], { cwd: sandbox().cwd, env: {} });
      const output = caught.output[Symbol.asyncIterator]();
      expect(Buffer.from((await output.next()).value ?? []).toString()).toBe("ready\n");
      await caught.kill("SIGINT");
      expect((await caught.ended).status).toBe(9);
    });

    can("signals", "ends a process and all it started", async () => {
      const { command, look } = makeSleeper();
      const line = `(setsid ${command} &) ; ${command} & echo ready; wait`;
      const parent = await sandbox().spawn(["sh", "-c", line], { cwd: sandbox().cwd, env: {} });
      await readUntil(parent, "ready\n");
      await parent.kill("SIGKILL");
      expect(await parent.ended).toEqual({ status: 137, signal: "SIGKILL" });
      await expect.poll(async () => (await sh(sandbox(), look)).stdout, POLL).toBe("");
    });

    can("signals", "refuses a signal that is none", async () => {
      const sleeper = await sandbox().spawn(["sleep", "300"], { cwd: sandbox().cwd, env: {} });
      await expect(sleeper.kill("SIGNONE")).rejects.toThrow(/SIGNONE/);
      await sleeper.kill("SIGTERM");
      expect((await sleeper.ended).status).toBe(143);
      await sleeper.kill("SIGTERM");
    });
  });
}

const POLL = { timeout: 10_000, interval: 100 };

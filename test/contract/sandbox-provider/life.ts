import { describe, expect, it } from "vitest";
import { SandboxError } from "../../../src/sandbox-escalation/provider.ts";
import type { ContractContext } from "../sandbox-provider-contract.ts";
import { collect, runInSandbox, sh } from "./run-in-sandbox.ts";
import { makeSleeper } from "./sleeper.ts";

export function describeLife({ sandbox, underTest, can }: ContractContext): void {
  describe("life", () => {
    it("is listed for its owner, and for nobody else", async () => {
      const { provider, makeSpec } = underTest();
      const spec = await makeSpec({ vm: "listed" });
      const made = await provider.create(spec);
      try {
        const found = (await provider.list(spec.owner)).filter(({ ref }) => ref === made.ref);
        expect(found).toMatchObject([
          { ref: made.ref, vm: "listed", createdAtMs: expect.any(Number) },
        ]);
        expect(await provider.list("somebody else")).toEqual([]);
      } finally {
        await made.destroy();
      }
      expect((await provider.list(spec.owner)).map(({ ref }) => ref)).not.toContain(made.ref);
    });

    it("leaves nothing when it is destroyed, and may be destroyed again", async () => {
      const { provider, makeSpec, findRemains } = underTest();
      const made = await provider.create(await makeSpec());
      const sleeper = await made.spawn(["sleep", "300"], { cwd: made.cwd, env: {} });
      await made.destroy();
      await made.destroy();
      expect((await sleeper.ended).status).toBe(137);
      expect(await findRemains(made.ref)).toEqual([]);
      await expect(runInSandbox(made, ["true"])).rejects.toMatchObject({ code: "gone" });
    });

    can("resume", "keeps files and loses processes when it is stopped", async () => {
      const { provider, makeSpec } = underTest();
      const made = await provider.create(await makeSpec());
      try {
        const { command, look } = makeSleeper();
        await sh(made, `echo kept > file; ${command} >/dev/null 2>&1 &`);
        await made.stop();
        await made.stop();
        await expect(runInSandbox(made, ["true"])).rejects.toMatchObject({ code: "gone" });
        await made.resume();
        await made.resume();
        expect((await sh(made, "cat file")).stdout).toBe("kept\n");
        expect((await sh(made, look)).stdout).toBe("");
      } finally {
        await made.destroy();
      }
    });

    can("attach", "is found again by its ref", async () => {
      const { provider, makeSpec } = underTest();
      const made = await provider.create(await makeSpec());
      try {
        const again = await provider.attach(made.ref);
        await again.resume();
        expect((await sh(again, "echo here")).stdout).toBe("here\n");
      } finally {
        await made.destroy();
      }
      await expect(provider.attach(made.ref)).rejects.toMatchObject({ code: "gone" });
      await expect(provider.attach("../../etc")).rejects.toMatchObject({ code: "gone" });
    });

    can("abort", "leaves nothing when its making is aborted", async () => {
      const { provider, makeSpec } = underTest();
      const spec = await makeSpec({ owner: "aborted" });
      for (const waitMs of [0, 1, 5, 15, 40]) {
        const abort = new AbortController();
        setTimeout(() => abort.abort(new Error("enough")), waitMs);
        const made = await provider.create(spec, abort.signal).catch((error: unknown) => error);
        if (made instanceof Error) expect(made.message).toBe("enough");
        else await (made as { destroy(): Promise<void> }).destroy();
      }
      expect(await provider.list("aborted")).toEqual([]);
    });

    it("says what it used", async () => {
      const usage = await sandbox().usage();
      expect(usage.wallMs).toBeGreaterThanOrEqual(0);
    });

    it("says so where it keeps no snapshots", async () => {
      if (sandbox().abilities.canSnapshot) return;
      await expect(sandbox().snapshot("x")).rejects.toBeInstanceOf(SandboxError);
    });

    can("files", "shows the workspace's files, both ways", async () => {
      const { files } = sandbox();
      await sh(
        sandbox(),
        "printf inside > from-inside; chmod 751 from-inside; ln -sf from-inside link",
      );
      const file = await files.lookup(files.root, "from-inside");
      if (file === undefined) throw new Error("the file is not there");
      const stat = await files.stat(file);
      expect([stat.mode & 0o777, stat.size]).toEqual([0o751, 6]);
      const into = new Uint8Array(16);
      expect(Buffer.from(into.subarray(0, await files.read(file, into, 0))).toString()).toBe(
        "inside",
      );
      const link = await files.lookup(files.root, "link");
      expect(link?.kind).toBe("symlink");
      const attributes = { kind: "file", mode: 0o640, uid: 1000, gid: 1000 } as const;
      const made = await files.create({ directory: files.root, name: "from-outside" }, attributes);
      await files.write(made, Buffer.from("outside"), 0);
      expect((await sh(sandbox(), "cat from-outside; echo more >> from-outside")).stdout).toBe(
        "outside",
      );
      expect((await files.stat(made)).size).toBe(12);
    });

    can("limits", "refuses processes above its limit, and goes on", async () => {
      const { provider, makeSpec } = underTest();
      const spec = await makeSpec();
      const made = await provider.create({ ...spec, limits: { ...spec.limits, pids: 24 } });
      try {
        const line =
          "i=0; while [ $i -lt 60 ]; do sleep 300 >/dev/null 2>&1 & i=$((i+1)); done; echo all";
        const bomb = await made.spawn(["sh", "-c", line], { cwd: made.cwd, env: {} });
        expect(await collect(bomb.output)).toBe("");
        expect((await bomb.ended).status).not.toBe(0);
        await bomb.kill("SIGKILL");
        const isAlive = () => sh(made, "echo alive").then(({ stdout }) => stdout, String);
        await expect.poll(isAlive, { timeout: 10_000, interval: 50 }).toBe("alive\n");
      } finally {
        await made.destroy();
      }
    });

    can("limits", "ends what takes more memory than its limit, and goes on", async () => {
      const { provider, makeSpec } = underTest();
      const spec = await makeSpec();
      const made = await provider.create({ ...spec, limits: { ...spec.limits, memoryMb: 64 } });
      try {
        const eater = await runInSandbox(made, ["tail", "/dev/zero"]);
        expect(eater).toMatchObject({ status: 137, isOutOfMemory: true });
        expect((await sh(made, "echo alive")).stdout).toBe("alive\n");
      } finally {
        await made.destroy();
      }
    });
  });
}

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isKernelError } from "../../../src/kernel/index.ts";
import type { ContractContext } from "../sandbox-provider-contract.ts";
import { readUntil, sh } from "./run-in-sandbox.ts";

export function describeStreams({ sandbox, underTest }: ContractContext): void {
  describe("streams", () => {
    it("passes input on, and its end", async () => {
      expect((await sh(sandbox(), "cat; echo end", { input: "line\n" })).stdout).toBe(
        "line\nend\n",
      );
    });

    it("answers while the process goes on", async () => {
      const cat = await sandbox().spawn(["cat"], { cwd: sandbox().cwd, env: {} });
      const output = cat.output[Symbol.asyncIterator]();
      for (const word of ["one", "two"]) {
        await cat.writeInput(Buffer.from(word));
        expect(Buffer.from((await output.next()).value ?? []).toString()).toBe(word);
      }
      await cat.closeInput();
      expect((await output.next()).done).toBe(true);
      expect(await cat.ended).toEqual({ status: 0 });
    });

    it("carries every byte, both ways, whatever their number", async () => {
      const bytes = Buffer.alloc(3_000_001);
      for (let n = 0; n < bytes.length; n++) bytes[n] = (n * 31 + (n >> 8)) & 0xff;
      const cat = await sandbox().spawn(["cat"], { cwd: sandbox().cwd, env: {} });
      const feed = cat.writeInput(bytes).then(() => cat.closeInput());
      const hash = createHash("sha256");
      for await (const chunk of cat.output) hash.update(chunk);
      await feed;
      expect(hash.digest("hex")).toBe(createHash("sha256").update(bytes).digest("hex"));
    });

    it("carries a flood of output", async () => {
      const bytes = underTest().floodBytes ?? FLOOD_BYTES;
      const flood = await sandbox().spawn(["sh", "-c", `head -c ${bytes} /dev/zero`], {
        cwd: sandbox().cwd,
        env: {},
      });
      let count = 0;
      for await (const chunk of flood.output) count += chunk.length;
      expect(count).toBe(bytes);
    });

    it("holds a process back while nobody takes its output", async () => {
      const bytes = underTest().floodBytes ?? FLOOD_BYTES;
      const line = `head -c ${bytes} /dev/zero; echo done > drained`;
      await sh(sandbox(), "rm -f drained");
      const held = await sandbox().spawn(["sh", "-c", line], { cwd: sandbox().cwd, env: {} });
      // Commands of others go on meanwhile.
      for (let n = 0; n < 5; n++)
        expect((await sh(sandbox(), "sleep 0.05; cat drained")).stdout).toBe("");
      for await (const _ of held.output) continue;
      expect((await held.ended).status).toBe(0);
      expect((await sh(sandbox(), "cat drained")).stdout).toBe("done\n");
    });

    it("holds a writer back while the process reads nothing", async () => {
      const deaf = await sandbox().spawn(["sleep", "300"], { cwd: sandbox().cwd, env: {} });
      let written = 0;
      const writing = (async () => {
        for (; written < 100; written++) await deaf.writeInput(new Uint8Array(100_000));
      })();
      expect((await sh(sandbox(), "sleep 0.3; echo x")).stdout).toBe("x\n");
      expect(written).toBeLessThan(50);
      await deaf.kill("SIGKILL");
      await expect(writing).rejects.toSatisfy((error) => isKernelError(error, "EPIPE"));
    });

    it("fails a write with EPIPE once the process reads no more", async () => {
      const closed = await sandbox().spawn(["sh", "-c", "exec 0<&-; echo closed; sleep 300"], {
        cwd: sandbox().cwd,
        env: {},
      });
      await readUntil(closed, "closed\n");
      const write = async () => {
        for (let n = 0; n < 1000; n++) await closed.writeInput(new Uint8Array(1000));
      };
      await expect(write()).rejects.toSatisfy((error) => isKernelError(error, "EPIPE"));
      await closed.kill("SIGKILL");
      await closed.ended;
    });

    it("ends a writer whose reader has left", async () => {
      const yes = await sandbox().spawn(["yes"], { cwd: sandbox().cwd, env: {} });
      for await (const chunk of yes.output) if (chunk.length > 0) break;
      expect((await yes.ended).status).not.toBe(0);
    });
  });
}

const FLOOD_BYTES = 50_000_000;

import { describe, expect } from "vitest";
import type { ContractContext } from "../sandbox-provider-contract.ts";
import { collect } from "./run-in-sandbox.ts";

export function describeTerminals({ sandbox, can }: ContractContext): void {
  describe("terminals", () => {
    const open = async (line: string) =>
      await sandbox().spawn(["sh", "-c", line], {
        cwd: sandbox().cwd,
        env: { TERM: "xterm" },
        terminal: { columns: 91, rows: 17 },
      });

    can("terminals", "gives a process a terminal of the size told", async () => {
      const shell = await open("test -t 0 && test -t 1 && test -t 2 && stty size");
      expect(await collect(shell.output)).toBe("17 91\r\n");
      expect(await collect(shell.errors)).toBe("");
      expect((await shell.ended).status).toBe(0);
    });

    can("terminals", "tells a process when the size changes", async () => {
      const shell = await open(
        'trap "stty size; exit" WINCH; echo ready; while :; do sleep 0.05; done',
      );
      const output = shell.output[Symbol.asyncIterator]();
      let seen = "";
      const until = async (text: string) => {
        while (!seen.includes(text))
          seen += Buffer.from((await output.next()).value ?? []).toString();
      };
      await until("ready\r\n");
      await shell.resize(120, 40);
      await until("40 120\r\n");
      expect((await shell.ended).status).toBe(0);
    });

    can("terminals", "lets a process end as it wants when it has closed its terminal", async () => {
      const shell = await open("exec <&- >&- 2>&-; sleep 0.2; exit 3");
      expect(await collect(shell.output)).toBe("");
      expect(await shell.ended).toEqual({ status: 3 });
    });

    can("terminals", "takes what a process says that opens its terminal again", async () => {
      const shell = await open("exec <&- >&- 2>&-; sleep 0.2; exec >/dev/tty; echo back");
      expect(await collect(shell.output)).toBe("back\r\n");
      expect(await shell.ended).toEqual({ status: 0 });
    });

    can("terminals", "makes ^C an interrupt", async () => {
      const cat = await sandbox().spawn(["cat"], {
        cwd: sandbox().cwd,
        env: { TERM: "xterm" },
        terminal: { columns: 80, rows: 24 },
      });
      await cat.writeInput(Buffer.from("x\n"));
      const output = cat.output[Symbol.asyncIterator]();
      let seen = "";
      // The terminal's echo, then cat's own: it runs.
      while (seen !== "x\r\nx\r\n")
        seen += Buffer.from((await output.next()).value ?? []).toString();
      await cat.writeInput(Buffer.from("\u0003"));
      expect((await cat.ended).status).toBe(130);
    });
  });
}

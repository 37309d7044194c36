import { expect, it } from "vitest";
import { boot } from "../../../support/boot.ts";

const words =
  "fork: Resource temporarily unavailable (limit maxProcesses is 12; raise limits.maxProcesses of the VM)";

it("goes on where jobs that have ended make room", async () => {
  const machine = await boot({ limits: { maxProcesses: 12 } });
  const script = "for i in {1..60}; do (exit $((i % 9))) & p=$!; done; wait $p; echo $?";
  expect(await machine.sh(script)).toEqual({ stdout: "6\n", stderr: "", status: 0 });
});

it("ends a shell that cannot fork, as bash does, and names the limit", async () => {
  const machine = await boot({ limits: { maxProcesses: 12 } });
  const script = "for i in {1..30}; do sleep 100 & done; echo no";
  expect(await machine.sh(`bash -c '${script}'; echo $?; kill -9 -1`)).toMatchObject({
    stdout: "254\n",
    stderr: `bash: line 1: ${words}\n`,
  });
});

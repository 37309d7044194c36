import { expect, it } from "vitest";
import { HostOutput, type OutputOrder } from "../../../src/vm/cell/host-output.ts";
import { TestWaiter } from "../../support/waiter.ts";

it("keeps the order of a command's two outputs, and gathers what goes to one in a row", async () => {
  const sent: string[] = [];
  const flushes: (() => void)[] = [];
  const order: OutputOrder = { holder: undefined };
  const [stdout, stderr] = ["out", "err"].map(
    (name) =>
      new HostOutput({
        ino: 1,
        nowMs: 0,
        send: (bytes) => sent.push(`${name} ${new TextDecoder().decode(bytes)}`),
        later: (flush) => flushes.push(flush),
        order,
        released: () => undefined,
      }),
  );
  for (const [output, text] of [
    [stdout, "1"],
    [stdout, "2"],
    [stderr, "3"],
    [stdout, "4"],
    [stdout, "5"],
  ] as const) {
    await output?.write(new TextEncoder().encode(text), new TestWaiter());
  }
  for (const flush of flushes) flush();
  expect(sent).toEqual(["out 12", "err 3", "out 45"]);
});

import { expect, it } from "vitest";
import { drainOutput } from "../../../src/sandbox-escalation/controller/drain-output.ts";
import { Escalation, request } from "../../support/escalation.ts";

const nothing = async (): Promise<void> => undefined;

it("keeps a detached process's output, however many attached ones end after it", async () => {
  const controller = new Escalation().controller();
  const build = await controller.spawn(["echo", "built"], { env: {}, isDetached: true }, request());
  await build.process.ended;
  for (let index = 0; index < 40; index++) {
    const held = await controller.spawn(["true"], { env: {} }, request());
    expect(controller.processes.list()).toContain(held);
    await drainOutput(held.process, { out: nothing, error: nothing });
  }
  expect(controller.processes.list().map(({ id }) => id)).toEqual([build.id]);
  const { log } = controller.processes.get(build.id);
  expect(new TextDecoder().decode(log?.bytes())).toBe("built\n");
  await controller.destroy();
});

it("keeps the beginning of what a process was started with, however long that is", async () => {
  const controller = new Escalation().controller();
  const words = Array.from({ length: 500 }, () => "x".repeat(1000));
  const wish = { env: {}, isDetached: true };
  const held = await controller.spawn(["true", ...words], wish, request());
  expect(held.command).toBe(`true ${"x".repeat(995)}…`);
  expect(JSON.stringify(controller.processes.list()).length).toBeLessThan(10_000);
  await held.process.ended;
  await controller.destroy();
});

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

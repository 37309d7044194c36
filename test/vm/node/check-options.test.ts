import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vm, Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";

describe("an option of Node that a VM does not have", () => {
  let vms: Vms;
  let vm: Vm;
  beforeAll(async () => {
    vms = new built.Vms({ poolSize: 0 });
    vm = await vms.create();
  });
  afterAll(() => vms.close());

  it.each(["node --permission -p 1", "NODE_OPTIONS=--permission node -p 1"])(
    "refuses to run a script unprotected: %s",
    async (command) => {
      const { stdout, stderr, exitCode } = await vm.exec(command);
      expect({ stdout, stderr, exitCode }).toEqual({
        stdout: "",
        stderr: "node: --permission is not supported in a VM\n",
        exitCode: 9,
      });
    },
  );
});

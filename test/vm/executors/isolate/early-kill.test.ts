import { afterAll, beforeAll, expect, it } from "vitest";
import { built } from "../../../support/built-vms.ts";

let vms: InstanceType<typeof built.Vms>;
beforeAll(() => {
  vms = new built.Vms({ poolSize: 1 });
});
afterAll(() => vms.close());

it("survives processes that are killed before their isolate is there", async () => {
  const vm = await vms.create();
  const { stdout } = await vm.exec(
    `for i in 1 2 3 4 5 6 7 8; do
       node -e 'setInterval(() => {}, 1000)' & kill -KILL $!
       node -e 'setInterval(() => {}, 1000)' & sleep 0.00$i; kill -KILL $!
     done 2> /dev/null; wait; node -p 1+1`,
  );
  expect(stdout).toBe("2\n");
  // What takes an isolate for stuck needs a second to find out.
  await vm.exec("sleep 1.5; node -p 1");
  expect(vm.info()).toMatchObject({ state: "running", restarts: 0 });
});

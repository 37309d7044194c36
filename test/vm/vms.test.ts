import { existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Vms } from "../../src/vm/index.ts";
import { built } from "../support/built-vms.ts";

let vms: Vms;

beforeEach(() => {
  vms = new built.Vms({ poolSize: 1 });
});

afterEach(async () => {
  await vms.close();
});

describe("Vms", () => {
  it("finds VMs by name and refuses a name twice", async () => {
    const vm = await vms.create({ name: "one" });
    expect(vms.get("one")).toBe(vm);
    expect(vms.find("two")).toBeUndefined();
    await expect(vms.create({ name: "one" })).rejects.toMatchObject({
      code: "VM_EXISTS",
      message: 'A VM named "one" already exists.',
    });
    expect(() => vms.get("two")).toThrow('There is no VM named "two".');
    expect(vms.list().map(({ id }) => id)).toEqual(["one"]);
  });

  it("keeps VMs apart", async () => {
    const [one, two] = await Promise.all([vms.create(), vms.create()]);
    await one.exec("echo secret > /tmp/f; export X=1");
    const { stderr } = await two.exec("cat /tmp/f");
    expect(stderr).toBe("cat: /tmp/f: No such file or directory\n");
  });

  it("ends the process of a VM that is destroyed, and forgets it", async () => {
    const vm = await vms.create({ name: "gone" });
    await vm.exec("true");
    await vm.destroy();
    await vm.destroy();
    expect(vms.find("gone")).toBeUndefined();
    await expect(vm.exec("true")).rejects.toMatchObject({ code: "VM_DESTROYED" });
    expect(vm.info().state).toBe("destroyed");
  });

  it("rejects what is under way when a VM is destroyed", async () => {
    const vm = await vms.create();
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = vm.exec("echo go; sleep 1000", { onStdout: () => resolve() });
    await promise;
    const outcome = expect(running).rejects.toThrow();
    await vm.destroy();
    await outcome;
  });

  it("starts a VM anew after its cell was killed, and says so once", async () => {
    const vm = await vms.create({ name: "phoenix" });
    const other = await vms.create({ name: "bystander" });
    await vm.exec("echo x > /tmp/f");
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = vm.exec("echo go; sleep 1000", { onStdout: () => resolve() });
    await promise;
    const lost = expect(running).rejects.toMatchObject({ code: "VM_LOST" });
    process.kill(vm.info().cellPid ?? Number.NaN, "SIGKILL");
    await lost;
    expect((await other.exec("echo fine")).stdout).toBe("fine\n");
    expect((await vm.exec("cat /tmp/f")).stderr).toBe("cat: /tmp/f: No such file or directory\n");
    expect(vm.takeNotice()).toBe(
      'The VM "phoenix" had stopped: its cell was ended by SIGKILL. It has started anew; its processes and files are gone.',
    );
    expect(vm.takeNotice()).toBeUndefined();
    expect(vm.info().restarts).toBe(1);
  });

  it("holds no more VMs than its limit", async () => {
    const few = new built.Vms({ poolSize: 0, maxVms: 1 });
    await few.create();
    await expect(few.create()).rejects.toMatchObject({ code: "VMS_LIMIT" });
    await few.close();
    await expect(few.create()).rejects.toMatchObject({ code: "SERVER_CLOSING" });
  });

  it("leaves no process behind when it is closed", async () => {
    const closing = new built.Vms({ poolSize: 2 });
    const made = await Promise.all([closing.create(), closing.create(), closing.create()]);
    const pids = made.map((vm) => vm.info().cellPid);
    expect(pids.filter((pid) => existsSync(`/proc/${pid}`)).length).toBe(3);
    await closing.close();
    expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  });
});

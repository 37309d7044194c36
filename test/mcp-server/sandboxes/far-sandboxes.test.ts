// VMs whose sandboxes are a vendor's, elsewhere: E2B's, by its own library, in a fake of its cloud with real machines.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sandboxConfig } from "../../../src/mcp-server/config/sandbox-config.ts";
import { Sandboxes } from "../../../src/mcp-server/sandboxes/sandboxes.ts";
import { Approvals, Disk } from "../../../src/vm/index.ts";
import { API_KEY, FakeE2b } from "../../sandbox-escalation/providers/e2b/fake-e2b.ts";
import { eventually } from "../../support/eventually.ts";
import { unless } from "../../support/unless.ts";
import { noSandboxes, Station } from "./station.ts";

const env = { E2B_API_KEY: API_KEY };

/** Those of a fake. */
function settings(fake: FakeE2b, more: object = {}): object {
  const e2b = { policy: "auto", apiUrl: fake.url, sandboxUrl: fake.url, ...more };
  return { providers: { e2b, local: {} } };
}

describe("a VM with a sandbox elsewhere", unless(noSandboxes), () => {
  let fake: FakeE2b;
  let station: Station;
  const sh = (command: string) => station.sh("one", command);
  const only = () => {
    const [sandbox, ...others] = [...fake.sandboxes.values()];
    if (sandbox === undefined || others.length > 0) throw new Error("not one sandbox");
    return sandbox;
  };
  beforeAll(async () => {
    fake = await FakeE2b.start();
    station = new Station(sandboxConfig.parse(settings(fake)), undefined, env);
  });
  afterAll(async () => {
    await station.close();
    await fake.stop();
  });

  it("has its files before there is a sandbox", async () => {
    const staged = await sh(
      "cd /sandbox; mkdir src; printf 'int main() { return 7; }' > src/a.c; printf '#!/bin/sh\\necho ran' > run; " +
        "chmod 755 run; ln -s src/a.c link.c; ls -l /sandbox | wc -l; sandbox status | head -1",
    );
    expect(staged).toEqual({
      stdout: "4\nno sandbox yet; /sandbox here is /workspace there\n",
      stderr: "",
      exitCode: 0,
    });
    expect(fake.sandboxes.size).toBe(0);
  });

  it("finds them there, and what was made there here, at once", async () => {
    expect(
      await sh(
        "cd /sandbox/src && sandbox exec -- gcc ../link.c -o a && test -x a && sandbox exec ./a",
      ),
    ).toEqual({ stdout: "", stderr: "", exitCode: 7 });
    expect(
      await sh(
        "cd /sandbox; sandbox exec ./run; readlink link.c; sandbox exec -C /workspace pwd; sandbox exec -C /sandbox/src pwd; " +
          "agentos-sandbox run-command --command pwd --cwd /workspace/src | jq -r .stdout",
      ),
    ).toMatchObject({
      stdout:
        "ran\nsrc/a.c\n/home/user/workspace\n/home/user/workspace/src\n/home/user/workspace/src\n\n",
    });
    expect(
      await sh(
        "cd /sandbox; echo from VM > both; sandbox exec -- sh -c 'cat both; echo there >> both'; cat both",
      ),
    ).toMatchObject({
      stdout: "from VM\nfrom VM\nthere\n",
    });
    expect((await sh("sandbox status")).stdout).toContain(
      "running; /sandbox here is /home/user/workspace there\nprovider e2b, image base",
    );
  });

  it("says who offers sandboxes, and has one at a time", async () => {
    const { stdout } = await sh("sandbox status --json");
    expect(JSON.parse(stdout)).toMatchObject({
      provider: "e2b",
      offers: [{ provider: "e2b" }, { provider: "local" }],
    });
    expect(await sh("sandbox exec --provider local true")).toMatchObject({
      exitCode: 125,
      stderr:
        "sandbox: The VM's sandbox is of the provider e2b. For another one, run sandbox stop first.\n",
    });
    expect(await sh("sandbox exec --provider docker true")).toMatchObject({
      exitCode: 126,
      stderr: 'sandbox: The provider "docker" is not offered (offered: e2b, local).\n',
    });
    expect(stdout + station.records()).not.toContain(API_KEY);
    const wish = { vm_id: "one", reason: "to look" };
    expect(
      await station.box.structured("sandbox_open", { ...wish, provider: "e2b" }),
    ).toMatchObject({ state: "running", provider: "e2b", workspace: "/home/user/workspace" });
    expect(await station.box.texts("sandbox_open", { ...wish, provider: "local" })).toEqual([
      expect.stringContaining("The VM's sandbox is of the provider e2b."),
    ]);
    expect(await station.box.structured("vm_list", { vm_id: "one" })).toMatchObject({
      vms: [{ sandbox: { state: "running", provider: "e2b", processes: 0 } }],
    });
  });

  it("keeps its files here when it stops, and takes what changed along when it goes on", async () => {
    await sh("cd /sandbox; sandbox exec -- sh -c 'echo kept > kept; rm run; echo aside > ~/aside'");
    const stopped = await sh(
      "sandbox stop; cat /sandbox/kept; ls /sandbox; sandbox status | head -1; rm /sandbox/kept; echo 2 > /sandbox/two",
    );
    expect(stopped.stdout).toBe(
      "stopped; files are kept, processes ended\nkept\nboth\nkept\nlink.c\nsrc\n" +
        "stopped; files are kept (sandbox stop); /sandbox here is /workspace there\n",
    );
    expect(only().state).toBe("paused");
    expect(await sh("cd /sandbox; sandbox exec -- sh -c 'ls; cat ~/aside two'")).toMatchObject({
      stdout: "both\nlink.c\nsrc\ntwo\naside\n2\n",
    });
    expect(fake.sandboxes.size).toBe(1);
  });

  it("lists many files in one go", async () => {
    const made = await sh(
      "cd /sandbox; sandbox exec -- sh -c 'mkdir many; cd many; for i in $(seq 300); do echo $i > f$i; done'; ls -l many | wc -l; du -a many | wc -l",
    );
    expect(made.stdout).toBe("301\n301\n");
  });

  it("shows what was carried last when the vendor's machine is lost, and says so", async () => {
    const controller = station.sandboxes.get("one");
    await sh("cd /sandbox; sandbox exec -- sh -c 'echo 1 > saved'");
    await eventually("it is carried", async () => {
      await controller.tick();
      return readdirSync(station.workspaceOf("one")).includes("saved");
    });
    const running = sh("cd /sandbox; sandbox exec -- sh -c 'echo 2 > late; sleep 600'; echo $?");
    await eventually("it runs", () => controller.processes.runningCount === 1);
    await fake.lose(only().id);
    expect((await running).stdout).toMatch(/^1(25|37)\n$/);
    const after = await sh("cat /sandbox/saved; ls /sandbox/late; sandbox status | head -1");
    expect(after.stdout).toMatch(
      /^1\nno sandbox yet \(.*files are as they were at \d{4}-.*Z\); \/sandbox here/,
    );
    expect(after.stderr).toContain("late");
    expect(await sh("cd /sandbox; sandbox exec cat saved two")).toMatchObject({ stdout: "1\n2\n" });
  });

  it("is destroyed with its VM, however often the vendor must be asked", async () => {
    fake.failsDeletes = true;
    await station.box.vms.get("one").destroy();
    await eventually("it is recorded", () => station.records().includes('"not destroyed"'));
    expect(fake.sandboxes.size).toBe(1);
    fake.failsDeletes = false;
    await eventually("it is gone", () => fake.sandboxes.size === 0);
    expect(station.records()).not.toContain(API_KEY);
  });
});

describe("providers of which some cannot be used", unless(noSandboxes), () => {
  it("are passed over, and it says why, and nobody is asked for them", async () => {
    const fake = await FakeE2b.start();
    const station = new Station(sandboxConfig.parse(settings(fake)));
    try {
      const status = await station.sh("one", "sandbox exec echo ran; sandbox status");
      expect(status.stdout).toContain("ran\nrunning; /sandbox here is /workspace there\n");
      expect(status.stdout).toContain(
        "cannot be used: e2b: There is no key for E2B. To allow it: set E2B_API_KEY.\n",
      );
      expect(status.stdout).toContain("offered: local; sandbox start --provider local\n");
      expect(await station.sh("two", "sandbox start --provider e2b")).toMatchObject({
        exitCode: 125,
        stderr: expect.stringContaining("There is no key for E2B. To allow it: set E2B_API_KEY."),
      });
      expect(station.approvals.list()).toEqual([]);
    } finally {
      await station.close();
      await fake.stop();
    }
  });
});

describe("a provider that costs money", unless(noSandboxes), () => {
  it("is asked for first, unless the operator says otherwise", async () => {
    const fake = await FakeE2b.start();
    const e2b = { apiUrl: fake.url, sandboxUrl: fake.url, costUsdPerHour: 0.1 };
    const station = new Station(sandboxConfig.parse({ providers: { e2b } }), undefined, env);
    try {
      const running = station.sh("one", "sandbox exec echo ran");
      await eventually("somebody is asked", () => station.approvals.list().length === 1);
      const [pending] = station.approvals.list();
      expect(pending).toMatchObject({
        subject: "sandbox e2b",
        details: { image: "base", cost: "about 0.1 USD an hour" },
      });
      expect(fake.sandboxes.size).toBe(0);
      station.approvals.decide(pending?.id ?? "", { answer: "allow", scope: "once" }, "me");
      expect(await running).toEqual({ stdout: "ran\n", stderr: "", exitCode: 0 });
    } finally {
      await station.close();
      await fake.stop();
    }
  });
});

describe("sandboxes elsewhere of a server that was killed", unless(noSandboxes), () => {
  it("are destroyed by the next, and let be while their server lives", async () => {
    const fake = await FakeE2b.start();
    const home = mkdtempSync(join(tmpdir(), "sandboxes-"));
    const config = settings(fake);
    const script = join(import.meta.dirname, "../fixtures/sandbox-to-kill.ts");
    const server = spawn(
      process.execPath,
      ["--no-warnings", script, home, JSON.stringify(config)],
      { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, ...env } },
    );
    const open = () =>
      new Sandboxes({
        config: sandboxConfig.parse(config),
        homeDirectory: home,
        approver: new Approvals(),
        disk: new Disk(),
        log: () => undefined,
        env,
      });
    try {
      await once(server.stdout, "data");
      expect(fake.sandboxes.size).toBe(1);
      mkdirSync(join(home, "logs"), { recursive: true });
      const beside = open();
      await beside.settled();
      await beside.close();
      expect(fake.sandboxes.size).toBe(1);
      server.kill("SIGKILL");
      await once(server, "close");
      const next = open();
      await eventually("it is reaped", () => fake.sandboxes.size === 0);
      await next.close();
    } finally {
      server.kill("SIGKILL");
      await fake.stop();
      rmSync(home, { recursive: true });
    }
  });
});

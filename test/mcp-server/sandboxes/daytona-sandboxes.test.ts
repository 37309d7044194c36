// A VM whose sandbox is Daytona's, by its own clients, in a fake of its cloud with real machines.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sandboxConfig } from "../../../src/mcp-server/config/sandbox-config.ts";
import { API_KEY, FakeDaytona } from "../../sandbox-escalation/providers/daytona/fake-daytona.ts";
import { unless } from "../../support/unless.ts";
import { noSandboxes, Station } from "./station.ts";

describe("a VM with a sandbox at Daytona", unless(noSandboxes), () => {
  let fake: FakeDaytona;
  let station: Station;
  const sh = (command: string) => station.sh("one", command);

  beforeAll(async () => {
    fake = await FakeDaytona.start();
    const daytona = { policy: "auto", apiUrl: `${fake.url}/api`, apiKey: { env: "MY_KEY" } };
    const config = sandboxConfig.parse({ providers: { daytona } });
    station = new Station(config, undefined, { MY_KEY: API_KEY, DAYTONA_TARGET: "eu" });
  });

  afterAll(async () => {
    await station.close();
    await fake.stop();
  });

  it("has its files there, and what is made there here", async () => {
    await sh("cd /sandbox; printf 'int main() { return 7; }' > a.c");
    expect(fake.sandboxes.size).toBe(0);
    expect(
      await sh("cd /sandbox; sandbox exec -- gcc a.c -o a && test -x a && sandbox exec ./a"),
    ).toEqual({ stdout: "", stderr: "", exitCode: 7 });
    const [sandbox] = fake.sandboxes.values();
    expect(sandbox?.body).toMatchObject({ target: "eu", ttlMinutes: 240, networkBlockAll: true });
    expect((await sh("sandbox status")).stdout).toContain("provider daytona, image default");
  });

  it("is in the middle of a pipeline", async () => {
    const counted = await sh(
      "seq 50000 | sandbox exec -- sort -r | head -2; echo ${PIPESTATUS[0]}",
    );
    expect(counted.stdout).toMatch(/^9999\n9998\n/);
    expect((await sh("seq 50000 | sandbox exec cat | sandbox exec wc -l")).stdout).toBe("50000\n");
  });

  it("keeps files when it stops, goes on, and is kept as a snapshot", async () => {
    await sh("sandbox exec -- sh -c 'echo kept > kept; echo aside > ~/aside'");
    expect((await sh("sandbox stop; cat /sandbox/kept")).stdout).toContain("kept\n");
    expect([...fake.sandboxes.values()].map(({ state }) => state)).toEqual(["stopped"]);
    expect((await sh("sandbox exec -- cat kept /home/user/aside")).stdout).toBe("kept\naside\n");
    expect(await sh("sandbox snapshot mine")).toMatchObject({ exitCode: 0 });
    expect(fake.snapshots.has("mine")).toBe(true);
  });

  it("is destroyed with its VM, and its key is in no record", async () => {
    await station.box.vms.get("one").destroy();
    await expect.poll(() => fake.sandboxes.size).toBe(0);
    expect(station.records()).not.toContain(API_KEY);
  });
});

// VMs whose sandboxes are on the machine of a real sandbox-agent server.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sandboxConfig } from "../../../src/mcp-server/config/sandbox-config.ts";
import {
  findServerObstacle,
  RealServer,
} from "../../sandbox-escalation/providers/sandbox-agent/real-server.ts";
import { unless } from "../../support/unless.ts";
import { Station } from "./station.ts";

const obstacle = findServerObstacle();

describe("a VM with a far sandbox", unless(obstacle), () => {
  let server: RealServer;
  let station: Station;
  const sh = (command: string) => station.sh("one", command);

  beforeAll(async () => {
    server = await RealServer.start();
    const { url, directory, token } = server;
    const config = sandboxConfig.parse({
      providers: { "sandbox-agent": { url, directory, network: "full", env: { MINE: "1" } } },
    });
    station = new Station(config, undefined, { SANDBOX_AGENT_TOKEN: token });
  });

  afterAll(async () => {
    await station.close();
    await server.stop();
  });

  it("carries its files there, and shows what was made of them", async () => {
    const line =
      "cd /sandbox && echo HAL > in && ln -s in link && chmod 640 in && " +
      "echo two | sandbox exec -- sh -c 'cat link - > out; echo $MINE >&2; exit 3'; echo $?; cat out; stat -c %a in";
    expect(await sh(line)).toEqual({ stdout: "3\nHAL\ntwo\n640\n", stderr: "1\n", exitCode: 0 });
  });

  it("keeps files when it is stopped, and goes on with them", async () => {
    expect(
      await sh("sandbox stop >/dev/null; cat /sandbox/out; echo more >> /sandbox/out"),
    ).toEqual({
      stdout: "HAL\ntwo\n",
      stderr: "",
      exitCode: 0,
    });
    expect((await sh("cd /sandbox && sandbox exec cat out")).stdout).toBe("HAL\ntwo\nmore\n");
  });

  it("leaves nothing there when the VM is destroyed, and the token nowhere", async () => {
    expect(server.findRemains("")).toHaveLength(1);
    await station.box.vms.find("one")?.destroy();
    await expect.poll(() => server.findRemains(""), { timeout: 10_000 }).toEqual([]);
    expect(station.records()).not.toContain(server.token);
  });
});

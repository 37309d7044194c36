// What a sandbox reaches of the network, and what goes wrong while it runs.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { unless } from "../../support/unless.ts";
import { noSandboxes, Station } from "./station.ts";

/** A request by bash alone: the sandbox has whatever the host has, and that may be no curl. */
function ask(url: string): string {
  const line = `GET ${url} HTTP/1.0\\r\\n\\r\\n`;
  return `sandbox exec -- bash -c 'exec 3<>/dev/tcp/127.0.0.1/3128; printf "${line}" >&3; cat <&3'`;
}

describe("a sandbox with a network", unless(noSandboxes), () => {
  let server: Server;
  let station: Station;
  let port = 0;
  beforeAll(async () => {
    server = createServer((_, response) => response.end("from the host\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
    const network = { allow: [`localhost:${port}`], private: [`127.0.0.1:${port}`] };
    station = new Station({ network, limits: { memoryMb: 512 } });
  });
  afterAll(async () => {
    await station.close();
    server.close();
  });

  it("reaches the hosts that are named by the proxy alone, and every decision is recorded", async () => {
    const named = await station.sh("one", ask(`http://127.0.0.1:${port}/`));
    expect(named.stdout).toContain("200 OK");
    expect(named.stdout).toContain("from the host");
    const other = await station.sh("one", ask("http://example.org/"));
    expect(other.stdout).toContain("403 Forbidden");
    const rebound = await station.sh("one", ask(`http://localhost:${port}/`));
    expect(rebound.stdout).toContain("its address is not public");
    const direct = `sandbox exec -- bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}' 2>/dev/null; echo $?`;
    expect((await station.sh("one", direct)).stdout).toBe("1\n");
    expect((await station.sh("one", "sandbox exec printenv http_proxy")).stdout).toBe(
      "http://127.0.0.1:3128\n",
    );
    expect(station.records()).toContain(`"connection allowed","facts":{"host":"127.0.0.1:${port}"`);
    expect(station.records()).toContain('"connection denied","facts":{"host":"example.org:80"');
  });
});

describe("a sandbox under stress", unless(noSandboxes), () => {
  let station: Station;
  const sh = (command: string) => station.sh("one", command);
  beforeAll(() => {
    station = new Station({ limits: { memoryMb: 128, pids: 64, diskMb: 64 } });
  });
  afterAll(() => station.close());

  it("says when a command took too much memory, and goes on", async () => {
    const bomb = await sh(
      "sandbox exec -- sh -c 'tail /dev/zero'; echo $?; sandbox exec echo alive",
    );
    expect(bomb.stdout.endsWith("alive\n")).toBe(true);
    expect(bomb.stdout.startsWith("0")).toBe(false);
  });

  it("outlives a fork bomb", async () => {
    await sh(
      "timeout -s KILL 2 sandbox exec -- sh -c 'b() { b | b & }; b; sleep 5' > /dev/null 2>&1",
    );
    await sh("sandbox stop");
    expect((await sh("sandbox exec echo alive")).stdout).toBe("alive\n");
  });

  it("ends with a command in it: the command is told, and the next starts anew", async () => {
    const running = sh("sandbox exec sleep 600; echo $?");
    const controller = station.sandboxes.get("one");
    await eventually("it runs", () => controller.processes.runningCount === 1);
    await controller.stop("test");
    expect((await running).stdout).toBe("137\n");
    expect((await sh("sandbox exec echo again")).stdout).toBe("again\n");
  });

  it("ends what a cancelled command started", async () => {
    const controller = station.sandboxes.get("one");
    await sh(
      "mkfifo up; sandbox exec sh -c 'echo up; exec sleep 600' > up & read up < up; kill -KILL $!; wait",
    );
    await eventually("nothing runs", () => controller.processes.runningCount === 0);
  });

  it("does not fill the server with output that nobody reads", async () => {
    const result = await sh("sandbox exec -d -- sh -c 'head -c 50000000 /dev/zero; echo done'");
    const id = result.stdout.trim();
    const controller = station.sandboxes.get("one");
    await eventually("it ended", () => controller.processes.get(id).end !== undefined);
    expect(controller.processes.get(id).log?.bytes().length).toBeLessThanOrEqual(1024 * 1024);
    expect((await sh(`sandbox logs ${id} | tail -c 5`)).stdout).toBe("done\n");
  });
});

// What a container of ours cannot do, and what is left of it when things go wrong; against a real engine.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../../src/sandbox-escalation/provider.ts";
import { sh } from "../../../contract/sandbox-provider/run-in-sandbox.ts";
import type { ProviderUnderTest } from "../../../contract/sandbox-provider-contract.ts";
import { unless } from "../../../support/unless.ts";
import { openDocker } from "./docker-under-test.ts";
import { startTestEngine, type TestEngine } from "./test-engine.ts";

const started = await startTestEngine();
const obstacle = typeof started === "string" ? started : undefined;

describe("docker's walls", unless(obstacle), () => {
  let engine: TestEngine;
  let underTest: ProviderUnderTest;
  let sandbox: Sandbox;

  beforeAll(async () => {
    if (typeof started === "string") throw new Error(started);
    engine = started;
    underTest = openDocker(engine);
    sandbox = await underTest.provider.create(
      await underTest.makeSpec({ env: { TOKEN: "secret-1" } }),
    );
  });

  afterAll(async () => {
    await sandbox.destroy();
    await underTest.close();
    await engine.stop();
  });

  it("has no capability, a filter, and no way to gain rights", async () => {
    const { stdout } = await sh(sandbox, "grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status");
    expect(stdout.match(/Cap\w+:\t0{16}\n/g)).toHaveLength(5);
    expect(stdout).toContain("NoNewPrivs:\t1\n");
    expect(stdout).toContain("Seccomp:\t2\n");
  });

  it("has no network but its own loopback", async () => {
    expect((await sh(sandbox, "ls /sys/class/net")).stdout).toBe("lo\n");
  });

  it("writes its workspace, its home and /tmp, and nothing else", async () => {
    const places = "/workspace /home/user /tmp / /bin /etc /sandbox-agent /proc/sys/kernel /sys";
    const line = `for p in ${places}; do (: > $p/x) 2>/dev/null && echo $p; done; :`;
    expect((await sh(sandbox, line)).stdout).toBe("/workspace\n/home/user\n/tmp\n");
  });

  it("makes no namespaces and no mounts", async () => {
    expect((await sh(sandbox, "unshare -r true")).stderr).toContain("not permitted");
    expect((await sh(sandbox, "mount -t tmpfs none /tmp")).status).not.toBe(0);
    expect((await sh(sandbox, "chroot / true")).status).not.toBe(0);
  });

  it("makes no file that runs as its owner", async () => {
    const run = await sh(sandbox, "touch suid; chmod 4755 suid; ls -l suid");
    expect(run.stdout).toMatch(/^-rw-r--r--/);
  });

  it("keeps the caller's variables from whoever asks the engine", async () => {
    expect((await sh(sandbox, "echo $TOKEN")).stdout).toBe("secret-1\n");
    expect(
      JSON.stringify(await engine.ask("GET", `/containers/${sandbox.ref}/json`)),
    ).not.toContain("secret-1");
    expect((await sh(sandbox, "cat /proc/1/environ")).stdout).toBe("");
  });

  it("has the limits it was told", async () => {
    expect(await engine.ask("GET", `/containers/${sandbox.ref}/json`)).toMatchObject({
      HostConfig: {
        Memory: 268_435_456,
        MemorySwap: 268_435_456,
        PidsLimit: 201,
        NanoCpus: 2_000_000_000,
        NetworkMode: "none",
        CapDrop: ["ALL"],
        ReadonlyRootfs: true,
        Privileged: false,
        PortBindings: null,
        LogConfig: { Type: "none" },
      },
    });
  });

  it("reaches the proxy, and only the proxy", async () => {
    const directory = mkdtempSync(join(tmpdir(), "agentos-proxy-test-"));
    const proxySocket = join(directory, "proxy");
    const proxy = createServer((request, response) => response.end(`asked for ${request.url}`));
    await new Promise<void>((resolve) => proxy.listen(proxySocket, resolve));
    const spec = await underTest.makeSpec({ network: "proxy", proxySocket });
    const made = await underTest.provider.create(spec);
    try {
      const run = await sh(made, "wget -q -O - http://example.org/page");
      expect(run).toMatchObject({ status: 0, stdout: "asked for http://example.org/page" });
      expect((await sh(made, "ls /sys/class/net")).stdout).toBe("lo\n");
    } finally {
      await made.destroy();
      proxy.close();
      rmSync(directory, { recursive: true });
    }
  });

  it("is listed by an owner whose name is no label", async () => {
    const owner = `/home/jürgen/${"x".repeat(200)}`;
    const made = await underTest.provider.create(await underTest.makeSpec({ owner }));
    expect((await underTest.provider.list(owner)).map(({ ref }) => ref)).toEqual([made.ref]);
    await made.destroy();
  });

  it("ends with its lifetime, and with a workspace that is too large", async () => {
    const spec = await underTest.makeSpec();
    const short = { ...spec, limits: { ...spec.limits, lifetimeMs: 1500 } };
    const brief = await underTest.provider.create(short);
    expect(await brief.gone).toContain("lifetime is over");
    await expect(brief.resume()).rejects.toMatchObject({ code: "limit" });
    await brief.destroy();
    const small = { ...spec, limits: { ...spec.limits, diskMb: 8 } };
    const full = await underTest.provider.create(small);
    const filling = sh(
      full,
      "for i in 1 2 3 4; do head -c 4000000 /dev/zero > f$i; done; sleep 300",
    );
    expect(await full.gone).toContain("8 MB of disk");
    expect((await filling).status).toBe(137);
    await full.destroy();
  });

  it("is gone without our doing when somebody removes it", async () => {
    const made = await underTest.provider.create(await underTest.makeSpec());
    await engine.ask("DELETE", `/containers/${made.ref}?force=true`);
    expect(await made.gone).toContain("ended");
    await made.destroy();
  });

  it("names an image that is not there, and how to have it", async () => {
    const spec = await underTest.makeSpec({ image: "no-such-image:1" });
    await expect(underTest.provider.create(spec)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("docker pull no-such-image:1"),
    });
  });

  it.each(["host", "../x", "a/../../containers", "UPPER", "a b", "x".repeat(300)])(
    "refuses %s as an image",
    async (image) => {
      const spec = await underTest.makeSpec({ image });
      await expect(underTest.provider.create(spec)).rejects.toMatchObject({ code: "unsupported" });
    },
  );

  it("refuses a workspace that the engine does not see", async () => {
    const spec = await underTest.makeSpec({ workspace: "/no/such/workspace", owner: "unseen" });
    await expect(underTest.provider.create(spec)).rejects.toThrow(/no\/such\/workspace/);
    expect(await underTest.provider.list("unseen")).toEqual([]);
  });

  it("ends when its server is killed", async () => {
    const spec = await underTest.makeSpec({ owner: "killed" });
    const script = fileURLToPath(new URL("hold-sandbox.ts", import.meta.url));
    const server = spawn(process.execPath, [script, engine.socketPath, JSON.stringify(spec)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(server.stdout, "data");
    const running =
      "/containers/json?filters=" + encodeURIComponent('{"label":["agentos-mcp.owner=killed"]}');
    expect(await engine.ask("GET", running)).toHaveLength(1);
    server.kill("SIGKILL");
    await expect.poll(() => engine.ask("GET", running), { timeout: 20_000 }).toHaveLength(0);
    const [left] = await underTest.provider.list("killed");
    if (left === undefined) throw new Error("its record is gone");
    await (await underTest.provider.attach(left.ref)).destroy();
    expect(await underTest.provider.list("killed")).toEqual([]);
  });
});

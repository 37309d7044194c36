// What only local sandboxes have: limits that are watched, ends that are sure, the proxy.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { programSourceHash } from "../../../../scripts/build-static-programs.mjs";
import { findAgentBinary } from "../../../../src/sandbox-escalation/agent/agent-binary.ts";
import { collect, sh } from "../../../contract/sandbox-provider/run-in-sandbox.ts";
import { notRoot, unless } from "../../../support/unless.ts";
import {
  findControlGroups,
  findObstacle,
  type LocalUnderTest,
  openLocal,
} from "./local-under-test.ts";

const obstacle = await findObstacle();

describe("local sandboxes", unless(obstacle), () => {
  let underTest: LocalUnderTest | undefined;
  const open = (options?: Parameters<typeof openLocal>[0]) => {
    underTest = openLocal(options);
    return underTest;
  };

  afterEach(async () => {
    await underTest?.close();
    underTest = undefined;
  });

  it("has an agent made of the sources beside it", async () => {
    const { stderr } = await promisify(execFile)(findAgentBinary(), []);
    expect(stderr.trim()).toBe(`source-hash:${programSourceHash("sandbox-agent")}`);
    const other = join(findAgentBinary(), "..", "linux-arm64");
    expect(readFileSync(other).includes(`source-hash:${programSourceHash("sandbox-agent")}`)).toBe(
      true,
    );
  });

  it("ends one that takes too much memory where nothing else holds it", async () => {
    const { provider, makeSpec } = open({ usesControlGroups: false });
    expect(await provider.probe()).toMatchObject({ abilities: { memory: "soft", cpu: "none" } });
    const spec = await makeSpec();
    const made = await provider.create({ ...spec, limits: { ...spec.limits, memoryMb: 64 } });
    const eater = await made.spawn(["sh", "-c", "head -c 200000000 /dev/zero | tail"], {
      cwd: made.cwd,
      env: {},
    });
    expect(await made.gone).toBe("The sandbox took more than its 64 MB of memory.");
    expect((await eater.ended).status).toBe(137);
    await expect(sh(made, "true")).rejects.toMatchObject({ code: "gone" });
    await made.destroy();
  });

  it("counts processes where there are no control groups", async () => {
    const { provider, makeSpec } = open({ usesControlGroups: false });
    const spec = await makeSpec();
    const made = await provider.create({ ...spec, limits: { ...spec.limits, pids: 12 } });
    const bomb = await sh(
      made,
      "i=0; while [ $i -lt 40 ]; do sleep 300 >/dev/null 2>&1 & i=$((i+1)); done; echo all",
    );
    expect(bomb.stdout).toBe("");
    await made.destroy();
  });

  it("ends one that takes too much of the disk, and refuses a file above the limit", async () => {
    const { provider, makeSpec } = open();
    const spec = await makeSpec();
    const made = await provider.create({ ...spec, limits: { ...spec.limits, diskMb: 8 } });
    // A file of holes takes no disk: only its length is refused.
    expect((await sh(made, "truncate -s 9M long")).status).not.toBe(0);
    const line = "head -c 5000000 /dev/zero > ~/one; head -c 5000000 /dev/zero > two";
    await made.spawn(["sh", "-c", line], { cwd: made.cwd, env: {} });
    expect(await made.gone).toMatch(/more than its 8 MB of disk/);
    await made.destroy();
  });

  it("cannot be filled at once: neither fallocate nor its ioctls take disk", async () => {
    const { provider, makeSpec } = open();
    const spec = await makeSpec();
    const made = await provider.create({ ...spec, limits: { ...spec.limits, diskMb: 64 } });
    const calls = `my ($f, $i) = $ARGV[0] eq "x86_64" ? (285, 16) : (47, 29); open(my $h, "+>", "taken") or die;
      my $room = pack("ssqqllqq", 0, 0, 0, 50e6, 0, 0, 0, 0);
      print join(",", map { $_ == 0 ? "yes" : $!+0 } (syscall($f, fileno($h), 0, 0, 50e6))), ",";
      for my $n (0x40305828, 0x4030582a, 0x40305839) { print syscall($i, fileno($h), $n, $room) == 0 ? "yes" : $!+0, "," }
      syswrite($h, "x" x 8192); print syscall($f, fileno($h), 3, 0, 4096) == 0 ? "hole" : $!+0`;
    const tried = await sh(made, `perl -e '${calls}' "$(uname -m)"; du -k taken`);
    expect(tried.stdout).toBe("95,95,95,95,hole4\ttaken\n");
    await made.destroy();
  });

  it(
    "stops at its limit however fast it writes, and leaves no more behind",
    unless(notRoot),
    async () => {
      const said = await runOnOwnDisk(new URL("overfill-disk.ts", import.meta.url), "6g");
      expect(said).toMatchObject({ kept: "kept\n" });
      expect(said["why"]).toMatch(
        /^The sandbox took more than its 400 MB of disk\. .* What it wrote last was removed: \d+ files, \d+ MB\.$/,
      );
      expect(said["mostMb"]).toBeLessThan(400 + 256);
      expect(said["leftMb"]).toBeLessThanOrEqual(400);
    },
  );

  it("goes on after it was stopped near its limit, and all that it wrote is there", async () => {
    const { provider, makeSpec } = open();
    const spec = await makeSpec();
    const made = await provider.create({ ...spec, limits: { ...spec.limits, diskMb: 100 } });
    const line =
      "for n in 1 2 3 4 5 6 7 8 9; do head -c 10000000 /dev/zero > $n || exit 1; done; cat ? | wc -c";
    expect(await sh(made, line)).toMatchObject({ status: 0, stdout: "90000000\n" });
    await made.destroy();
  });

  it("leaves the last of a disk to the host", unless(notRoot), async () => {
    expect(await runOnOwnDisk(new URL("fill-disk.ts", import.meta.url), "512m")).toEqual({
      why: "The disk of this machine is nearly full.",
      signal: "SIGKILL",
      isRoomLeft: true,
    });
  });

  it("counts files that it has removed and holds open", async () => {
    const { provider, makeSpec } = open();
    const spec = await makeSpec();
    const made = await provider.create({ ...spec, limits: { ...spec.limits, diskMb: 32 } });
    const script = `exec 7>a 8>b 9>c; rm a b c; for n in 7 8 9; do head -c 30000000 /dev/zero >&$n; done; sleep 60`;
    const holder = await made.spawn(["sh", "-c", script], { cwd: made.cwd, env: {} });
    expect(await made.gone).toMatch(/more than its 32 MB of disk/);
    expect((await holder.ended).status).toBe(137);
    await made.destroy();
  });

  it("bounds its temporary files", async () => {
    const { provider, makeSpec } = open();
    const spec = await makeSpec();
    const made = await provider.create({ ...spec, limits: { ...spec.limits, diskMb: 4 } });
    for (const place of ["/tmp/x", "/dev/shm/x", "/run/x"]) {
      const fill = await sh(
        made,
        `for n in 1 2 3 4 5 6 7 8; do head -c 3000000 /dev/zero > ${place}$n || exit 9; done`,
      );
      expect(fill.status).toBe(9);
    }
    await made.destroy();
  });

  it("ends at the end of its lifetime", async () => {
    const { provider, makeSpec } = open();
    const spec = await makeSpec();
    const made = await provider.create({ ...spec, limits: { ...spec.limits, lifetimeMs: 400 } });
    expect(await made.gone).toBe("The sandbox's lifetime is over.");
    await made.destroy();
  });

  it("keeps what is in its home when it is stopped", async () => {
    const { provider, makeSpec } = open();
    const made = await provider.create(await makeSpec());
    await sh(
      made,
      "mkdir -p ~/a/b; echo kept > ~/a/b/file; mkdir ~/closed; touch ~/closed/x; chmod 0 ~/closed",
    );
    await made.stop();
    await made.resume();
    expect((await sh(made, "cat ~/a/b/file")).stdout).toBe("kept\n");
    await made.destroy();
  });

  it("names no place of the host where it does not start", async () => {
    const { provider, makeSpec, directory } = open();
    const spec = await makeSpec();
    const made = await provider.create(spec);
    await made.stop();
    rmSync(spec.workspace, { recursive: true });
    const failure: unknown = await made.resume().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "failed",
      message: expect.stringMatching(/cannot|find/),
    });
    expect(String(failure)).not.toContain(directory);
    await made.destroy();
  });

  it("refuses what it cannot do, in words", async () => {
    const { provider, makeSpec, directory } = open();
    const spec = await makeSpec();
    const refusals = [
      [{ ...spec, image: "debian" }, "unsupported", /there is no such snapshot/],
      [{ ...spec, image: "../debian" }, "unsupported", /"host", the path/],
      [{ ...spec, image: join(directory, "none.tar") }, "unsupported", /it is not there/],
      [{ ...spec, image: "/" }, "unsupported", /that is the host/],
      [{ ...spec, image: directory }, "unsupported", /no bin\/sh/],
      [{ ...spec, network: "full" as const }, "unsupported", /none or proxy/],
      [{ ...spec, network: "proxy" as const }, "unsupported", /socket/],
      [{ ...spec, limits: { ...spec.limits, pids: 0 } }, "limit", /pids/],
      [{ ...spec, limits: { ...spec.limits, memoryMb: Number.NaN } }, "limit", /memoryMb/],
      [{ ...spec, limits: { ...spec.limits, memoryMb: 1 } }, "limit", /16 MB/],
    ] as const;
    for (const [wrong, code, words] of refusals)
      await expect(provider.create(wrong)).rejects.toMatchObject({
        code,
        message: expect.stringMatching(words),
      });
    await expect(sh(await provider.create(spec), "x".repeat(2_000_000))).rejects.toMatchObject({
      code: "limit",
    });
    for (const { ref } of await provider.list(spec.owner))
      await (await provider.attach(ref)).destroy();
  });

  it("carries connections to the proxy, and no others", async () => {
    const { provider, makeSpec, directory } = open();
    const proxySocket = join(directory, "proxy");
    const proxy = createServer((request, response) =>
      response.end(`${request.method} ${request.url} ${"x".repeat(300_000)}`),
    );
    await once(proxy.listen(proxySocket), "listening");
    const made = await provider.create(await makeSpec({ network: "proxy", proxySocket }));
    const script = [
      'use IO::Socket::INET; my $s = IO::Socket::INET->new("127.0.0.1:3128") or die;',
      'print $s "GET http://example.test/a HTTP/1.0\\r\\n\\r\\n"; local $/; my $all = <$s>;',
      "$all =~ s/.*?\\r\\n\\r\\n//s; print length($all), substr($all, 0, 26);",
    ].join(" ");
    const gets = await Promise.all([1, 2, 3].map(() => sh(made, `perl -e '${script}'`)));
    for (const get of gets) expect(get.stdout).toBe("300026GET http://example.test/a ");
    expect((await sh(made, "echo $https_proxy")).stdout).toBe("http://127.0.0.1:3128\n");
    await made.destroy();
    proxy.closeAllConnections();
    proxy.close();
  });

  it("leaves nothing that runs when the server is killed, and the next one removes the rest", async () => {
    const script = fileURLToPath(new URL("hold-sandbox.ts", import.meta.url));
    const server = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
    const line: unknown = (await once(server.stdout, "data"))[0];
    const { ref, pid, directory } = JSON.parse(String(line)) as Record<string, string>;
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    server.kill("SIGKILL");
    await once(server, "exit");
    await expect.poll(() => isRunning(String(pid)), { timeout: 10_000, interval: 20 }).toBe(false);
    const { provider } = open();
    await provider.probe();
    expect(findControlGroups(String(ref))).toEqual([]);
    await promisify(execFile)("rm", ["-rf", "--", String(directory)]);
  });

  it("is attached by the next server, with its files", async () => {
    const { provider, makeSpec } = open();
    const spec = await makeSpec();
    const made = await provider.create(spec);
    await sh(made, "echo kept > file");
    await made.stop();
    const sandbox = await provider.attach(made.ref);
    await sandbox.resume();
    const cat = await sandbox.spawn(["cat", "file"], { cwd: sandbox.cwd, env: {} });
    expect(await collect(cat.output)).toBe("kept\n");
    await sandbox.destroy();
  });
});

/** Whether it is there and no zombie. */
function isRunning(pid: string): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** What a script beside this one prints as JSON, where temporary directories are on a disk of its own. */
async function runOnOwnDisk(script: URL, size: string): Promise<Record<string, unknown>> {
  const line = `mount -t tmpfs -o size=${size} tmpfs /mnt && TMPDIR=/mnt exec "$@"`;
  const argv = ["-m", "sh", "-c", line, "sh", process.execPath, fileURLToPath(script)];
  const { stdout } = await promisify(execFile)("unshare", argv);
  return JSON.parse(stdout);
}

// Packages in a sandbox with a root of its own, installed from inside a VM by the proxy alone. Needs an archive of a Debian
// root (scripts/make-debian-root.mjs) and a network in which this machine has its own packages; skipped without.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unless } from "../../support/unless.ts";
import { noSandboxes, Station } from "./station.ts";

const image = process.env["AGENTOS_DEBIAN_ROOT"] ?? join(tmpdir(), "agentos-mcp-debian-root.tar");
const noDebianRoot = existsSync(image)
  ? undefined
  : "needs a Debian root (scripts/make-debian-root.mjs)";

/** From where this machine has its packages. */
function readHosts(): string[] {
  const lists = "/etc/apt/sources.list.d";
  const names = existsSync(lists) ? readdirSync(lists).map((name) => join(lists, name)) : [];
  const texts = ["/etc/apt/sources.list", ...names].filter((name) => existsSync(name));
  const urls = texts.flatMap((name) =>
    readFileSync(name, "utf8").match(/^[^#\n]*https?:\/\/\S+/gm),
  );
  return [
    ...new Set(urls.map((line) => new URL(/https?:\/\/\S+/.exec(line ?? "")?.[0] ?? "").host)),
  ];
}

describe("packages in a sandbox", unless(noSandboxes, noDebianRoot), () => {
  let station: Station;
  beforeAll(() => {
    const hosts = readHosts();
    const network = { allow: hosts, private: hosts };
    station = new Station({ image, network, limits: { memoryMb: 1024, diskMb: 1024 } });
  });
  afterAll(() => station.close());

  it("installs one by apt, which is there when the sandbox was stopped, and in snapshots", async () => {
    const run = (command: string) => station.sh("one", command);
    const install =
      "apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q -y install hello";
    const installed = await run(`sandbox exec -- sh -c '${install}'`);
    expect(installed).toMatchObject({ exitCode: 0 });
    expect((await run("sandbox exec hello")).stdout).toBe("Hello, world!\n");
    await run("sandbox stop");
    expect((await run("sandbox exec hello | tr a-z A-Z")).stdout).toBe("HELLO, WORLD!\n");
    expect(await run("sandbox snapshot with-hello")).toMatchObject({ stdout: "with-hello\n" });
    expect(station.records()).toContain('"connection allowed"');
    const other = await run("sandbox exec -- apt-get -q install -y no-such-package-at-all");
    expect(other.exitCode).toBe(100);
  }, 180_000);
});

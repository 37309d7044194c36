import { existsSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { type Installation, install } from "../support/installation.ts";
import { RawClient } from "../support/raw-client.ts";
import { TestHome } from "../support/test-home.ts";

let installation: Installation;
let home: TestHome;
beforeAll(() => {
  installation = install();
});
afterAll(() => installation.remove());
beforeEach(() => {
  home = new TestHome();
});
afterEach(() => home.close());

/** The `node` a shell finds, not one that npm has put in front of it. */
function findUsersNode(): string {
  const directories = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((part) => !part.includes("node_modules"));
  return (
    directories.map((part) => join(part, "node")).find((file) => existsSync(file)) ??
    process.execPath
  );
}

describe("connectToServer", () => {
  it("gives ten clients that start at once one server", async () => {
    const clients = Array.from({ length: 10 }, () => new RawClient(installation, home));
    await Promise.all(clients.map((client) => client.initialize()));
    const counts = await Promise.all(clients.map((client) => client.callText("test_count")));
    const [record] = home.records();
    expect(counts.sort()).toEqual(
      Array.from({ length: 10 }, (_, index) => `${record?.pid} ${index + 1}`).sort(),
    );
    expect(home.records().length).toBe(1);
    await Promise.all(clients.map((client) => client.leave()));
    expect(home.pids()).toEqual([record?.pid]);
  });

  it("starts the server on the pinned Node from whatever Node the user has", async () => {
    const client = new RawClient(installation, home, { node: findUsersNode() });
    await client.initialize();
    expect(await client.callText("test_echo", { text: "here" })).toBe("here");
    expect(home.log()).toContain(`"node":"${process.version}"`);
    await client.leave();
  });

  it("starts anew beside what a killed server left", async () => {
    const first = new RawClient(installation, home);
    await first.initialize();
    const [dead] = home.records();
    await first.leave();
    process.kill(dead?.pid ?? 0, "SIGKILL");
    await eventually("the server is dead", () => home.pids().length === 0);
    expect(home.records()).toEqual([dead]);

    const second = new RawClient(installation, home);
    await second.initialize();
    const [living] = home.records();
    expect(living?.pid).not.toBe(dead?.pid);
    expect(home.files()).not.toContain(dead?.socket.split("/").at(-1));
    await second.leave();
  });

  it("recovers when the shim that was starting the server, and the server, were killed", async () => {
    const first = new RawClient(installation, home);
    first.child.kill("SIGKILL");
    await first.exit();
    for (const pid of home.pids()) process.kill(pid, "SIGKILL");
    await eventually("all are dead", () => home.pids().length === 0);
    // A mark and a record whose owners are long gone: pid 2^22 is above Linux's highest.
    writeFileSync(join(home.directory, `starting-${installation.buildId}`), "4194304");
    const record = {
      build: installation.buildId,
      pid: 4194304,
      socket: join(home.directory, "gone.sock"),
      key: "k",
    };
    writeFileSync(
      join(home.directory, `server-${installation.buildId}.json`),
      JSON.stringify(record),
    );

    const second = new RawClient(installation, home);
    expect(await second.initialize()).toMatchObject({
      result: { serverInfo: { name: "agentos-mcp" } },
    });
    await second.leave();
    expect(home.files()).not.toContain(`starting-${installation.buildId}`);
  });

  it("reaches the server of a home whose path is too long for a socket", async () => {
    await home.close();
    home = new TestHome({}, `agentos-mcp-${"long-".repeat(20)}`);
    const client = new RawClient(installation, home);
    await client.initialize();
    const [record] = home.records();
    expect(record?.socket.startsWith(home.directory)).toBe(false);
    expect(await client.callText("test_echo", { text: "here" })).toBe("here");
    process.kill(record?.pid ?? 0, "SIGTERM");
    await eventually("the server has left", () => !home.pids().includes(record?.pid ?? 0));
    expect(existsSync(record?.socket ?? "")).toBe(false);
    await client.leave();
    rmSync(dirname(record?.socket ?? ""), { recursive: true });
  });

  it("keeps the server and its other clients when one shim is killed", async () => {
    const one = new RawClient(installation, home);
    const other = new RawClient(installation, home);
    await Promise.all([one.initialize(), other.initialize()]);
    const before = await other.callText("test_count");
    one.child.kill("SIGKILL");
    await one.exit();
    const after = await other.callText("test_count");
    expect([before.split(" ")[0], after.split(" ")[1]]).toEqual([after.split(" ")[0], "2"]);
    await other.leave();
  });

  it("reads a record that was cut short as none", async () => {
    writeFileSync(join(home.directory, `server-${installation.buildId}.json`), '{"build":');
    const client = new RawClient(installation, home);
    await client.initialize();
    expect(home.records().length).toBe(1);
    await client.leave();
  });

  it("tells the client and the user why a server does not start", async () => {
    const broken = install({
      serverEntry: 'process.stderr.write("no such luck\\n"); process.exit(7);',
    });
    try {
      const client = new RawClient(broken, home);
      const answer = await client.request("initialize");
      const log = join(home.directory, "logs/server.log");
      const message = `The agentos-mcp server did not start: it left with exit code 7; the end of ${log}:\nno such luck`;
      expect(answer).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32603, message } });
      expect(await client.exit()).toEqual({ code: 1, signal: null });
      expect(client.stderr).toBe(`agentos-mcp: ${message}\n`);
    } finally {
      broken.remove();
    }
  });
});

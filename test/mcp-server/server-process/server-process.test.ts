import { execFile } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { type Installation, install } from "../support/installation.ts";
import { RawClient } from "../support/raw-client.ts";
import { TestHome } from "../support/test-home.ts";

let installation: Installation;
let otherBuild: Installation;
let home: TestHome;
beforeAll(() => {
  installation = install();
  otherBuild = install({ hash: "0123456789abcdef" });
});
afterAll(() => {
  installation.remove();
  otherBuild.remove();
});
beforeEach(() => {
  home = new TestHome();
});
afterEach(() => home.close());

async function open(from: Installation, at: TestHome = home): Promise<RawClient> {
  const client = new RawClient(from, at);
  await client.initialize();
  return client;
}

const pidOf = async (client: RawClient): Promise<number> =>
  Number((await client.callText("test_count")).split(" ")[0]);
const isRunning = (pid: number): boolean => home.pids().includes(pid);

async function stop(from: Installation, at: TestHome): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [from.binFile, "stop"], {
    env: at.env,
  });
  return stdout;
}

describe("a server", () => {
  it("aborts the requests of a client that leaves, and serves the others", async () => {
    const leaving = await open(installation);
    const staying = await open(installation);
    const file = join(home.directory, "wait");
    leaving.start("tools/call", { name: "test_wait", arguments: { file } });
    await eventually("the call runs", () => existsSync(file));
    leaving.child.kill("SIGKILL");
    await eventually(
      "its signal is aborted",
      () => readFileSync(file, "utf8") === "started\naborted\n",
    );
    expect(await staying.callText("test_echo", { text: "here" })).toBe("here");
    await staying.leave();
  });

  it("aborts a request that its client cancels", async () => {
    const client = await open(installation);
    const file = join(home.directory, "wait");
    const requestId = client.start("tools/call", { name: "test_wait", arguments: { file } });
    await eventually("the call runs", () => existsSync(file));
    client.send({ method: "notifications/cancelled", params: { requestId } });
    await eventually(
      "its signal is aborted",
      () => readFileSync(file, "utf8") === "started\naborted\n",
    );
    await client.leave();
  });

  it("leaves when it is idle, and takes its files along", async () => {
    await home.close();
    home = new TestHome({ AGENTOS_MCP_IDLE_MS: "300" });
    const client = await open(installation);
    const pid = await pidOf(client);
    await client.leave();
    await eventually("the server has left", () => !isRunning(pid));
    expect(home.files()).toEqual(["lock", "logs", "output"]);
    expect(home.log()).toContain(
      `"pid":${pid},"level":"info","message":"leaves","reason":"idle"}\n`,
    );
  });

  it("does not leave while a client is connected, however quiet it is", async () => {
    await home.close();
    home = new TestHome({ AGENTOS_MCP_IDLE_MS: "100" });
    const quiet = await open(installation);
    const pid = await pidOf(quiet);
    // Another server of another home comes and goes in the meantime.
    const elsewhere = new TestHome({ AGENTOS_MCP_IDLE_MS: "100" });
    const visitor = await open(installation, elsewhere);
    await visitor.leave();
    await eventually("the other server has left", () => elsewhere.pids().length === 0);
    await elsewhere.close();
    expect(await pidOf(quiet)).toBe(pid);
    await quiet.leave();
  });

  it("never meets the server of another home", async () => {
    const elsewhere = new TestHome();
    try {
      const [one, other] = await Promise.all([open(installation), open(installation, elsewhere)]);
      expect(await pidOf(one)).not.toBe(await pidOf(other));
      expect(await stop(installation, elsewhere)).toMatch(
        /^Stopped the server \d+ \(build .+\)\.\n$/,
      );
      expect(await one.callText("test_echo", { text: "here" })).toBe("here");
      await Promise.all([one.leave(), other.leave()]);
    } finally {
      await elsewhere.close();
    }
  });

  it("of another build retires with its last client, and its clients never notice the new one", async () => {
    const [oldOne, oldTwo] = [await open(otherBuild), await open(otherBuild)];
    const oldPid = await pidOf(oldOne);
    const client = await open(installation);
    expect(await pidOf(client)).not.toBe(oldPid);
    await eventually("the old server knows", () =>
      home.log().includes(`"pid":${oldPid},"level":"info","message":"retires`),
    );
    await oldOne.leave();
    expect(await pidOf(oldTwo)).toBe(oldPid);
    await oldTwo.leave();
    await eventually("the old server has left", () => !isRunning(oldPid));
    expect(home.log()).toContain(
      `"pid":${oldPid},"level":"info","message":"leaves","reason":"retired"}\n`,
    );
    expect(home.records().map(({ build }) => build)).toEqual([installation.buildId]);
    expect(await client.callText("test_echo", { text: "here" })).toBe("here");
    await client.leave();
  });

  it("of another build without clients leaves at once", async () => {
    const old = await open(otherBuild);
    const oldPid = await pidOf(old);
    await old.leave();
    const client = await open(installation);
    await eventually("the old server has left", () => !isRunning(oldPid));
    await client.leave();
  });

  it("leaves with its last client when its home is removed under it", async () => {
    await home.close();
    home = new TestHome({ AGENTOS_MCP_IDLE_MS: "1000" });
    const client = await open(installation);
    const pid = await pidOf(client);
    rmSync(home.directory, { recursive: true });
    await client.leave();
    await eventually("the server has left", () => !isRunning(pid));
  });

  it("refuses a connection without the key, of another build, or without a hello", async () => {
    const client = await open(installation);
    const [record] = home.records();
    const greet = async (line: string): Promise<string> => {
      const socket = connect(record?.socket ?? "");
      socket.write(line);
      return await text(socket);
    };
    const { build = "", key = "" } = record ?? {};
    const refusal = (reason: string): string => `{"agentos-mcp":"refused","reason":"${reason}"}\n`;
    const wrongKey = "f".repeat(key.length);
    expect(await greet(`${JSON.stringify({ role: "mcp", build, pid: 1, key: wrongKey })}\n`)).toBe(
      refusal("it does not know the key"),
    );
    expect(await greet(`${JSON.stringify({ role: "mcp", build: "x", pid: 1, key })}\n`)).toBe(
      refusal(`it is of build x, this server of ${build}`),
    );
    expect(await greet('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')).toBe(
      refusal("it does not say who it is"),
    );
    expect(await greet("x".repeat(5000))).toBe("");
    expect(await client.callText("test_echo", { text: "here" })).toBe("here");
    await client.leave();
  });

  it.each(["SIGTERM", "SIGINT"] as const)("closes cleanly on %s", async (signal) => {
    const client = await open(installation);
    const pid = await pidOf(client);
    process.kill(pid, signal);
    await eventually("the server has left", () => !isRunning(pid));
    expect(home.files()).toEqual(["lock", "logs", "output"]);
    await client.leave();
  });
});

describe("agentos-mcp stop", () => {
  it("stops the servers of all builds and says which", async () => {
    const [one, other] = [await open(installation), await open(otherBuild)];
    const pids = [await pidOf(one), await pidOf(other)];
    const lines = (await stop(installation, home)).trim().split("\n");
    expect(lines.sort()).toEqual(
      [
        `Stopped the server ${pids[0]} (build ${installation.buildId}).`,
        `Stopped the server ${pids[1]} (build ${otherBuild.buildId}).`,
      ].sort(),
    );
    expect(pids.filter(isRunning)).toEqual([]);
    await Promise.all([one.leave(), other.leave()]);
    expect(home.pids()).toEqual([]);
  });

  it("says so when there is none", async () => {
    expect(await stop(installation, home)).toBe("No server is running.\n");
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../../../src/sandbox-escalation/provider.ts";
import { sh } from "../../../contract/sandbox-provider/run-in-sandbox.ts";
import { makeSleeper } from "../../../contract/sandbox-provider/sleeper.ts";
import { unless } from "../../../support/unless.ts";
import { CuttingRelay } from "./cutting-relay.ts";
import { findServerObstacle, RealServer } from "./real-server.ts";
import { openProvider, spec } from "./server-under-test.ts";

const obstacle = findServerObstacle();
const forAgents = "for p in /proc/[0-9]*; do case $(readlink $p/exe) in */agent)";

describe("a sandbox-agent server", unless(obstacle), () => {
  let server: RealServer;

  beforeAll(async () => {
    server = await RealServer.start();
  });

  afterAll(() => server.stop());

  it("is used with the home of its user where no directory is named", async () => {
    const { url, token } = server;
    const made = await openProvider({ url, token }).create(spec);
    expect(made.cwd).toMatch(/\/\.agentos-mcp\/sandboxes\/[0-9a-f]{24}\/workspace$/);
    await made.destroy();
  });

  it("says why it cannot be used, and never the token", async () => {
    const { url, directory } = server;
    const token = "another-token-of-mine";
    const refused = await openProvider({ url, token, directory }).probe();
    expect(refused).toMatchObject({ isUsable: false, fix: "check its token" });
    expect(JSON.stringify(refused)).not.toContain(token);
    await expect(openProvider({ url, token }).create(spec)).rejects.toMatchObject({
      code: "failed",
      message: expect.not.stringContaining(token),
    });
    expect(await openProvider({ url: "http://127.0.0.1:9", token }).probe()).toMatchObject({
      isUsable: false,
      fix: "check that it runs",
    });
  });

  it("says that its directory cannot be written to", async () => {
    const { url, token } = server;
    expect(await openProvider({ url, token, directory: "/usr/nowhere" }).probe()).toEqual({
      isUsable: false,
      reason: "The server cannot write to its directory, or lacks chmod or grep.",
      fix: "set a directory that it can write to",
    });
  });

  it("has no walls, and refuses what asks for some", async () => {
    const provider = openProvider(server.access);
    for (const network of ["none", "proxy"] as const)
      await expect(provider.create({ ...spec, network })).rejects.toMatchObject({
        code: "unsupported",
      });
    await expect(provider.create({ ...spec, image: "debian" })).rejects.toMatchObject({
      code: "unsupported",
    });
  });

  it("gives processes nothing of the server's environment", async () => {
    const made = await openProvider(server.access).create({ ...spec, env: { MINE: "1" } });
    try {
      const own = (await sh(made, "env")).stdout;
      expect(own).toContain("MINE=1");
      expect(own).not.toContain("SECRET_OF_SERVER");
    } finally {
      await made.destroy();
    }
  });

  it("gives the next server a sandbox whose processes have ended", async () => {
    const made = await openProvider(server.access).create(spec);
    const { command, look } = makeSleeper();
    await sh(made, `echo kept > file; ${command} >/dev/null 2>&1 &`);
    const again = await openProvider(server.access).attach(made.ref);
    expect(await made.gone).toMatch(/ended/);
    await again.resume();
    expect((await sh(again, `cat file; ${look}`)).stdout).toBe("kept\n");
    await again.destroy();
    expect(server.findRemains(made.ref)).toEqual([]);
  });

  it("ends what its agent, stopped by a guest, can not", async () => {
    const made = await openProvider(server.access).create(spec);
    const { command, look } = makeSleeper();
    await sh(made, `setsid ${command} >/dev/null 2>&1 &`);
    const freeze = `${forAgents} kill -STOP \${p#/proc/};; esac; done`;
    const frozen = await made.spawn(["sh", "-c", freeze], { cwd: made.cwd, env: {} });
    await made.destroy();
    expect((await frozen.ended).status).toBe(137);
    const other = await openProvider(server.access).create(spec);
    // One that was killed is seen until somebody has waited for it.
    await expect.poll(async () => (await sh(other, look)).stdout, { timeout: 10_000 }).toBe("");
    await other.destroy();
  });

  it("is gone when a guest has killed its agent", { timeout: 20_000 }, async () => {
    const made = await openProvider(server.access).create(spec);
    const kill = `${forAgents} kill -KILL \${p#/proc/};; esac; done`;
    await made.spawn(["sh", "-c", kill], { cwd: made.cwd, env: {} });
    expect(await made.gone).toBe("The sandbox's agent has ended.");
    await made.destroy();
    expect(server.findRemains(made.ref)).toEqual([]);
  });

  it("removes files that their guest made hard to remove", async () => {
    const made = await openProvider(server.access).create(spec);
    await sh(
      made,
      "mkdir -p a/b; touch a/b/-rf 'a/b/x y'; ln -s / a/root; chmod 000 a/b; chmod 000 a",
    );
    await made.destroy();
    expect(server.findRemains(made.ref)).toEqual([]);
  });

  it("loses nothing where connections break", async () => {
    const relay = await CuttingRelay.start(server.port);
    const made = await openProvider({ ...server.access, url: relay.url }).create(spec);
    try {
      const flood = await made.spawn(["seq", "1", "200000"], { cwd: made.cwd, env: {} });
      let text = "";
      for await (const bytes of flood.output) {
        text += Buffer.from(bytes).toString();
        relay.cutStreams();
      }
      expect(text).toBe(Array.from({ length: 200_000 }, (_, n) => `${n + 1}\n`).join(""));
      expect(relay.cuts).toBeGreaterThan(2);
      expect((await sh(made, "echo still here")).stdout).toBe("still here\n");
    } finally {
      await made.destroy();
      await relay.stop();
    }
  });

  it("ends when the server does, and is not confirmed gone until it is back", async () => {
    const other = await RealServer.start();
    try {
      const made: Sandbox = await openProvider(other.access).create(spec);
      await sh(made, "echo kept > file");
      await other.kill();
      const spawned = made.spawn(["true"], { cwd: made.cwd, env: {} });
      // Before the agent's end is known the command may have begun.
      const code = expect.stringMatching(/^(gone|failed)$/);
      await expect(spawned).rejects.toMatchObject({ code });
      await expect(made.destroy()).rejects.toMatchObject({ code: "not-confirmed" });
      expect(other.findRemains(made.ref)).toEqual([made.ref]);
      await other.resume();
      await made.destroy();
      expect(other.findRemains(made.ref)).toEqual([]);
    } finally {
      await other.stop();
    }
  });
});

describe("an address of a sandbox-agent server", () => {
  it.each([
    ["http://example.org:2468", /must be https/],
    ["http://127.0.0.1.example.org", /must be https/],
    ["http://0.0.0.0:2468", /must be https/],
    ["ftp://127.0.0.1", /http or https/],
    ["nonsense", /http or https/],
    ["https://user:secret@example.org", /no user/],
    ["https://example.org?x=1", /no user/],
  ])("refuses %s", async (url, reason) => {
    const probe = await openProvider({ url, token: "t" }).probe();
    expect(probe).toMatchObject({ isUsable: false, reason: expect.stringMatching(reason) });
    await expect(openProvider({ url, token: "t" }).create(spec)).rejects.toMatchObject({
      code: "unavailable",
    });
  });

  it.each(["", "a b", "x\n", "ü"])("refuses the token %j", async (token) => {
    const probe = await openProvider({ url: "https://example.org", token }).probe();
    expect(probe).toMatchObject({ isUsable: false, reason: expect.stringMatching(/token/) });
  });

  it.each(["relative", "/a b", "/$(x)", "/a//b", "/"])(
    "refuses the directory %j",
    async (directory) => {
      const probe = await openProvider({
        url: "https://example.org",
        token: "t",
        directory,
      }).probe();
      expect(probe).toMatchObject({ isUsable: false, reason: expect.stringMatching(/directory/) });
    },
  );

  it("must have a token", async () => {
    expect(await openProvider(undefined).probe()).toEqual({
      isUsable: false,
      reason: "There is no token for the sandbox-agent server.",
      fix: "set SANDBOX_AGENT_TOKEN",
    });
    await expect(openProvider(undefined).create(spec)).rejects.toMatchObject({
      code: "unavailable",
    });
  });
});

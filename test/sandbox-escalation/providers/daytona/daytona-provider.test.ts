import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MemoryFileSystem } from "../../../../src/kernel/index.ts";
import type { SandboxProvider } from "../../../../src/sandbox-escalation/provider.ts";
import { DaytonaProvider } from "../../../../src/sandbox-escalation/providers/daytona/daytona-provider.ts";
import { collect, runInSandbox, sh } from "../../../contract/sandbox-provider/run-in-sandbox.ts";
import { unless } from "../../../support/unless.ts";
import { findObstacle } from "../local/local-under-test.ts";
import { openProvider, spec } from "./daytona-under-test.ts";
import { API_KEY, FakeDaytona } from "./fake-daytona.ts";

const obstacle = await findObstacle();

describe("daytona", unless(obstacle), () => {
  let fake: FakeDaytona;
  let provider: SandboxProvider;

  beforeAll(async () => {
    fake = await FakeDaytona.start();
    provider = openProvider(fake.url);
  });

  afterAll(() => fake.stop());

  const only = () => {
    const [sandbox] = fake.sandboxes.values();
    if (sandbox === undefined || fake.sandboxes.size > 1) throw new Error("there is not one");
    return sandbox;
  };

  it("sets the end of its life at the vendor, no network, and labels, and tells no secret", async () => {
    const made = await provider.create({ ...spec, env: { TOKEN: "secret-1" } });
    try {
      const { body } = only();
      expect(body).toMatchObject({
        snapshot: "daytona-small",
        public: false,
        networkBlockAll: true,
        autoStopInterval: 15,
        ttlMinutes: 10,
        autoDeleteInterval: 10,
        labels: {
          "agentos-mcp-owner": "test",
          "agentos-mcp-vm": "vm",
          "agentos-mcp-server": expect.stringMatching(/^\d+-\d+$/),
        },
      });
      expect(JSON.stringify(body)).not.toContain("secret-1");
      expect((await sh(made, "echo $TOKEN $HOME")).stdout).toBe("secret-1 /home/user\n");
      expect(made.abilities).toMatchObject({ memory: "none", isBillable: true });
    } finally {
      await made.destroy();
    }
  });

  it("builds an image, of the limits' size, and waits for it", async () => {
    const made = await provider.create({ ...spec, image: "image:debian:13", network: "full" });
    try {
      expect(only().body).toMatchObject({
        buildInfo: { dockerfileContent: "FROM debian:13\n" },
        cpu: 2,
        memory: 2,
        disk: 5,
        networkBlockAll: false,
      });
      expect(made.abilities).toMatchObject({ memory: "hard", cpu: "hard", disk: "hard" });
      const again = await openProvider(fake.url).attach(made.ref);
      await made.stop();
      expect(again.abilities).toMatchObject({ memory: "hard" });
    } finally {
      await made.destroy();
    }
  });

  it("takes the snapshot that Daytona has for everybody, in the region that is told", async () => {
    const access = { apiKey: API_KEY, apiUrl: `${fake.url}/api/`, target: "eu" };
    const openFiles = async () => new MemoryFileSystem({ now: Date.now });
    const made = await new DaytonaProvider({ access, openFiles }).create({
      ...spec,
      image: "default",
    });
    expect(only().body).not.toHaveProperty("snapshot");
    expect(only().body["target"]).toBe("eu");
    await made.destroy();
  });

  it("says which snapshot is not there", async () => {
    const made = provider.create({ ...spec, image: "no-such-one" });
    await expect(made).rejects.toThrow(/Snapshot no-such-one not found/);
  });

  it.each(["container", "linux-vm"])(
    "keeps the state of a %s as a snapshot that a later one begins with",
    async (kind) => {
      fake.sandboxClass = kind;
      const first = await provider.create(spec);
      await sh(first, "mkdir kept; echo words > kept/file");
      const image = await first.snapshot(`kept-${kind}`);
      await expect(first.snapshot(image)).rejects.toThrow(/already/);
      expect((await sh(first, "cat kept/file")).stdout).toBe("words\n");
      await expect(first.snapshot("../x")).rejects.toMatchObject({ code: "unsupported" });
      await first.destroy();
      const second = await provider.create({ ...spec, image });
      expect((await sh(second, "cat kept/file")).stdout).toBe("words\n");
      await second.destroy();
      fake.sandboxClass = "container";
    },
  );

  it("is found by the next server, stopped", async () => {
    const made = await provider.create(spec);
    await sh(made, "echo kept > file");
    const again = await openProvider(fake.url).attach(made.ref);
    // The one before sees its end and stops, too; in truth its server is gone.
    await made.gone;
    await made.stop();
    expect(only().state).toBe("stopped");
    await again.resume();
    expect((await sh(again, "cat file")).stdout).toBe("kept\n");
    await again.destroy();
    expect(fake.sandboxes.size).toBe(0);
  });

  it("lets be what another server uses", async () => {
    const made = await provider.create(spec);
    const { body } = only();
    const mark = body.labels["agentos-mcp-server"];
    body.labels["agentos-mcp-server"] = markOfParent();
    await expect(openProvider(fake.url).attach(made.ref)).rejects.toMatchObject({ code: "gone" });
    expect(only().state).toBe("started");
    if (mark !== undefined) body.labels["agentos-mcp-server"] = mark;
    await made.destroy();
  });

  it("lists all pages", async () => {
    fake.pageLimit = 2;
    const made = [];
    for (let n = 0; n < 5; n++) made.push(await provider.create({ ...spec, owner: "many" }));
    const listed = (await provider.list("many")).map(({ ref }) => ref);
    expect(listed.toSorted()).toEqual(made.map(({ ref }) => ref).toSorted());
    for (const sandbox of made) await sandbox.destroy();
    fake.pageLimit = 100;
  });

  it("says so when Daytona stops it by itself, and can go on", async () => {
    const made = await provider.create(spec);
    const sleeper = await made.spawn(["sleep", "300"], { cwd: made.cwd, env: {} });
    await only().machine?.stop();
    only().state = "stopped";
    expect(await made.gone).toMatch(/Daytona's terminal ended/);
    expect((await sleeper.ended).status).toBe(137);
    await made.resume();
    expect((await sh(made, "echo again")).stdout).toBe("again\n");
    await made.destroy();
  });

  it("has the proxy for its only network", async () => {
    const socket = join(mkdtempSync(join(tmpdir(), "agentos-daytona-")), "proxy");
    const proxy = createServer((connection) => connection.pipe(connection)).listen(socket);
    const made = await provider.create({ ...spec, network: "proxy", proxySocket: socket });
    const { body } = only();
    expect(body).toMatchObject({ networkBlockAll: true });
    // What the vendor keeps is no secret, and nothing that it says leads to a socket of this host.
    expect(JSON.stringify(body)).not.toContain(socket);
    const line =
      "exec 3<>/dev/tcp/127.0.0.1/3128; head -c 300000 /dev/zero >&3 & head -c 300000 <&3";
    const run = await runInSandbox(made, ["bash", "-c", `${line}; echo $http_proxy`]);
    expect(run.stdout.length).toBe(300_000 + "http://127.0.0.1:3128\n".length);
    await made.destroy();
    proxy.close();
    rmSync(dirname(socket), { recursive: true });
  });

  it("loses nothing over a network that is slower than what many processes say", async () => {
    const made = await provider.create(spec);
    only().toolbox.messageMs = 1;
    const count = async () => {
      const argv = ["head", "-c", "200000", "/dev/zero"];
      const flood = await made.spawn(argv, { cwd: made.cwd, env: {} });
      return (await collect(flood.output)).length;
    };
    const counts = await Promise.all(Array.from({ length: 8 }, count));
    expect(counts).toEqual(Array.from({ length: 8 }, () => 200_000));
    await made.destroy();
  });

  it.each(["host", "", "a b", "image:", "image:a\nRUN x", "x".repeat(300)])(
    "refuses %j as an image",
    async (image) => {
      const made = provider.create({ ...spec, image });
      await expect(made).rejects.toMatchObject({ code: "unsupported" });
    },
  );
});

/** Of the process that started this one: it runs, and is another. */
function markOfParent(): string {
  const text = readFileSync(`/proc/${process.ppid}/stat`, "utf8");
  return `${process.ppid}-${text.slice(text.lastIndexOf(")") + 2).split(" ")[19]}`;
}

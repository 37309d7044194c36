import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openHome } from "../../../src/mcp-server/home.ts";
import { clearLeftovers } from "../../../src/mcp-server/server-process/clear-leftovers.ts";
import { writeRecord } from "../../../src/mcp-server/server-record.ts";
import { eventually } from "../../support/eventually.ts";
import { type Installation, install } from "../support/installation.ts";
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

describe("claimHome", () => {
  it("lets one of ten servers that start at once stay, and clears away the dead", async () => {
    const dead = { pid: 4194304, key: "k" };
    for (const build of [installation.buildId, "other"]) {
      const socket = join(home.directory, `server-${build}-dead.sock`);
      writeFileSync(socket, "");
      writeRecord(openHome(home.directory), { ...dead, build, socket });
    }
    const entry = join(installation.directory, "dist/mcp-server/server-process/main.js");
    const servers = Array.from({ length: 10 }, () =>
      spawn(process.execPath, [entry, home.directory, installation.buildId], {
        env: home.env,
        stdio: "inherit",
      }),
    );
    const exits = servers.map(async (server): Promise<unknown> => (await once(server, "exit"))[0]);
    await eventually(
      "nine have left",
      () => servers.filter(({ exitCode }) => exitCode === 0).length === 9,
    );
    const survivor = servers.find(({ exitCode }) => exitCode === null);
    expect(home.records()).toMatchObject([{ build: installation.buildId, pid: survivor?.pid }]);
    expect(home.files().filter((name) => name.includes("dead"))).toEqual([]);
    survivor?.kill("SIGTERM");
    expect(await Promise.all(exits)).toEqual(Array.from({ length: 10 }, () => 0));
  });
});

describe("clearLeftovers", () => {
  it("removes what builds that do not run have left, and nothing else", async () => {
    for (const path of ["cache/old", "cache/mine", "output/old", "output/other", "logs/old"]) {
      mkdirSync(join(home.directory, path), { recursive: true });
    }
    await clearLeftovers(openHome(home.directory), ["mine", "other"]);
    const left = ["cache", "output", "logs"].map((name) => readdirSync(join(home.directory, name)));
    expect(left).toEqual([["mine"], ["other"], ["old"]]);
  });
});

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vm, Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";
import { unless } from "../../support/unless.ts";
import { fixtures, packageCache } from "./package-cache.ts";

const cache = packageCache();
const obstacle = existsSync(join(cache, "node_modules"))
  ? undefined
  : "needs npm's packages (scripts/fetch-packages.mjs)";
/** tsc with all of Node's types takes 20 s on a busy host. */
const LIMIT_MS = 240_000;
const PROJECT = "/home/user/project";

const scripts = readdirSync(fixtures).filter((name) => /\.[cm]js$/.test(name));

/** The same for both; the rest of the host's environment stays out. */
const environment = { TZ: "UTC", LANG: "C.UTF-8" };

interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

describe("popular packages do in a VM what they do under the host's Node", unless(obstacle), () => {
  let vms: Vms;
  let vm: Vm;
  let host: string;

  beforeAll(async () => {
    vms = new built.Vms({ poolSize: 1 });
    // The folders above a mount are root's unless they are there before it.
    vm = await vms.create({
      software: [{ path: join(cache, "node_modules"), at: "/opt/packages/node_modules" }],
    });
    await vm.files.makeDirectory(PROJECT);
    const linked = await vm.exec(`ln -s /opt/packages/node_modules ${PROJECT}/node_modules`);
    expect(linked).toMatchObject({ stderr: "", exitCode: 0 });
    host = mkdtempSync(join(tmpdir(), "package-scripts-"));
    symlinkSync(join(cache, "node_modules"), join(host, "node_modules"));
    for (const name of [...scripts, "package.json"]) {
      copyFileSync(join(fixtures, name), join(host, name));
      await vm.files.write(`${PROJECT}/${name}`, await readFile(join(fixtures, name)));
    }
  });

  afterAll(async () => {
    await vms.close();
    rmSync(host, { recursive: true, force: true });
  });

  function runOnHost(script: string): Answer {
    const { stdout, stderr, status } = spawnSync(process.execPath, [script], {
      cwd: host,
      env: { ...environment, HOME: host, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` },
      input: "",
      encoding: "utf8",
      timeout: LIMIT_MS,
    });
    return { stdout, stderr, status: status ?? -1 };
  }

  async function runInVm(script: string): Promise<Answer> {
    const { stdout, stderr, exitCode } = await vm.exec(`node ${script}`, {
      cwd: PROJECT,
      env: environment,
      timeoutMs: LIMIT_MS,
    });
    return { stdout, stderr, status: exitCode };
  }

  it.each(scripts)(
    "%s",
    async (script) => {
      const expected = runOnHost(script);
      expect(expected).toMatchObject({ status: 0 });
      expect(await runInVm(script)).toEqual(expected);
    },
    LIMIT_MS * 2,
  );
});

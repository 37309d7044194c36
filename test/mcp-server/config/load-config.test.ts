import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigError } from "../../../src/mcp-server/config/config-file.ts";
import { loadConfig } from "../../../src/mcp-server/config/load-config.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "agentos-mcp-config-"));
});
afterEach(() => rmSync(home, { recursive: true }));

function write(value: unknown, name = "config.json"): string {
  const path = join(home, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

function problem(env: NodeJS.ProcessEnv = {}): string {
  try {
    loadConfig(home, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problem;
    throw error;
  }
  throw new Error("The configuration was taken.");
}

describe("loadConfig", () => {
  it("is empty where there is no file", () => {
    expect(loadConfig(home, {})).toEqual({});
  });

  it("takes what the file sets", () => {
    const config = {
      vm: {
        limits: { maxProcesses: 10 },
        permissions: {
          network: "deny",
          fs: { default: "allow", rules: [{ mode: "ask", paths: ["/etc/**"] }] },
        },
        env: { LANG: "C" },
        software: ["/srv/a", { path: "/srv/b", at: "/opt/b" }],
        memoryMb: 128,
      },
      poolSize: 0,
      maxVms: 3,
      maxMemoryMb: 4096,
      idleMs: 1000,
    };
    write(config);
    expect(loadConfig(home, {})).toEqual(config);
  });

  it("takes another file, which must exist", () => {
    const path = write({ maxVms: 2 }, "other.json");
    expect(loadConfig(home, { AGENTOS_MCP_CONFIG: path })).toEqual({ maxVms: 2 });
    expect(problem({ AGENTOS_MCP_CONFIG: join(home, "none.json") })).toBe(
      `${join(home, "none.json")} does not exist`,
    );
  });

  it("lets variables win over the file", () => {
    write({ poolSize: 1, vm: { env: { A: "1" } } });
    const env = {
      AGENTOS_MCP_POOL_SIZE: "4",
      AGENTOS_MCP_MAX_VMS: "5",
      AGENTOS_MCP_MAX_MEMORY_MB: "4096",
      AGENTOS_MCP_VM_MEMORY_MB: "256",
    };
    expect(loadConfig(home, env)).toEqual({
      poolSize: 4,
      maxVms: 5,
      maxMemoryMb: 4096,
      vm: { env: { A: "1" }, memoryMb: 256 },
    });
  });

  it.each([
    ["{", /^config\.json is no JSON: /],
    ["[]", /^config\.json: the whole must be of type object$/],
    [{ maxVm: 1 }, /^config\.json: maxVm is no setting \(did you mean maxVms\?\)$/],
    [{ vm: { limit: {} } }, /^config\.json: vm\.limit is no setting \(did you mean limits\?\)$/],
    [
      { zzzzzzzz: 1 },
      /^config\.json: zzzzzzzz is no setting \(known are vm, toolkits, mcpServers, sandbox, poolSize, maxVms, maxMemoryMb, homeLimitMb, idleMs\)$/,
    ],
    [{ maxVms: 0 }, /^config\.json: maxVms must be a whole number from 1 to 10000$/],
    [{ maxVms: "2" }, /^config\.json: maxVms must be of type number$/],
    [{ vm: { env: { A: 1 } } }, /^config\.json: vm\.env\.A must be of type string$/],
    [
      { vm: { limits: { maxFoo: 1 } } },
      /^config\.json: vm\.limits\.maxFoo: there is no such limit$/,
    ],
    [
      { vm: { limits: { maxPipes: -1 } } },
      /^config\.json: vm\.limits\.maxPipes: a limit is a whole number/,
    ],
    [
      { vm: { memoryMb: 64 } },
      /^config\.json: vm\.memoryMb: 64 is not a whole number from 128, the least a VM boots with, to 1048576$/,
    ],
    [
      { vm: { memoryMb: 256, limits: { v8HeapLimitMb: 512 } } },
      /^config\.json: vm\.limits\.v8HeapLimitMb: 512 MB is more than memoryMb, 256 MB$/,
    ],
    [{ vm: { limits: [] } }, /^config\.json: vm\.limits must be an object$/],
    [
      { vm: { permissions: { disk: "allow" } } },
      /^config\.json: vm\.permissions\.disk: there is no such scope$/,
    ],
    [{ vm: { software: "/a" } }, /^config\.json: vm\.software must be of type array$/],
    [
      { vm: { software: [{ at: "/a" }] } },
      /^config\.json: vm\.software\.0 must be a path, or an object of "path" and "at"$/,
    ],
    [
      { vm: { software: ["tools"] } },
      /^config\.json: vm\.software: the path of a folder is absolute/,
    ],
    [{ toolkits: { "!": { module: "x" } } }, /^config\.json: toolkits\.! needs a letter or digit$/],
    [
      { toolkits: { a: {} } },
      /^config\.json: toolkits\.a must have "module" or "openapi", and not both$/,
    ],
    [
      { sandbox: { polcy: "ask" } },
      /^config\.json: sandbox\.polcy is no setting \(did you mean policy\?\)$/,
    ],
    [
      { sandbox: { network: { alow: [] }, limits: { memory: 1 } } },
      /^config\.json: sandbox\.limits\.memory is no setting \(.*memoryMb.*\); config\.json: sandbox\.network\.alow is no setting \(did you mean allow\?\)$/,
    ],
    [
      { sandbox: { policy: "maybe" } },
      /^config\.json: sandbox\.policy must be one of "deny", "ask", "auto"$/,
    ],
    [
      { sandbox: { providers: { e2b: { policy: "maybe" } } } },
      /^config\.json: sandbox\.providers\.e2b\.policy must be one of "deny", "ask", "auto"$/,
    ],
    [
      { sandbox: { commands: ["agentos-x"] } },
      /^config\.json: sandbox\.commands\.0 must be the name of a command, and not one of ours$/,
    ],
    [
      { sandbox: { network: { allow: ["http://example.org/"] } } },
      /^config\.json: sandbox\.network\.allow\.0 must be a host such as/,
    ],
    [
      { sandbox: { provider: "docker" } },
      /^config\.json: sandbox\.image must name an image for the provider docker/,
    ],
    [
      { sandbox: { limits: { memoryMb: 1 } } },
      /^config\.json: sandbox\.limits\.memoryMb must be a whole number from 64 to 1048576$/,
    ],
    [{ vm: { permissions: { fs: "perhaps" } } }, /^config\.json: vm\.permissions\.fs: a mode is/],
  ])("names the file's whole path and the key of what is wrong: %j", (value, words) => {
    const file = write(value);
    const found = problem();
    expect(found.startsWith(file)).toBe(true);
    expect(found.replaceAll(file, "config.json")).toMatch(words);
  });

  it("names the variable that is wrong", () => {
    expect(problem({ AGENTOS_MCP_MAX_VMS: "many" })).toMatch(/^AGENTOS_MCP_MAX_VMS must be /);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/find-command.mjs";
import { loadConfig } from "../../../src/mcp-server/config/load-config.ts";
import { configVariables, serverConfig } from "../../../src/mcp-server/config/server-config.ts";

describe("examples/config.json", () => {
  it("is a configuration that uses every key", () => {
    const file = join(projectRoot, "examples/config.json");
    const config = loadConfig("/nowhere", { AGENTOS_MCP_CONFIG: file });
    expect(config).toEqual(JSON.parse(readFileSync(file, "utf8")));
    expect(Object.keys(config)).toEqual(Object.keys(serverConfig.shape));
    expect(Object.keys(config.vm ?? {})).toEqual(Object.keys(serverConfig.shape.vm.unwrap().shape));
  });
});

describe("docs/configuration.md", () => {
  it("names every key and every variable", () => {
    const text = readFileSync(join(projectRoot, "docs/configuration.md"), "utf8");
    const { vm, ...rest } = serverConfig.shape;
    const keys = [
      ...Object.keys(vm.unwrap().shape).map((key) => `vm.${key}`),
      ...Object.keys(rest),
    ];
    for (const name of [...keys, ...Object.keys(configVariables)])
      expect(text).toContain(`\`${name}\``);
  });
});

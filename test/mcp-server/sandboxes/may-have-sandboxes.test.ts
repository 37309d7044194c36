import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mayHaveSandboxes } from "../../../src/mcp-server/sandboxes/may-have-sandboxes.ts";

it.each([
  ['{"sandbox":{}}', true],
  ['{"sandbox":{"policy":"ask"}}', true],
  ['{"sandbox":{"policy":"deny"}}', false],
  ['{"sandbox":{"policy":"deny","providers":{"local":{"policy":"ask"}}}}', true],
  ['{"sandbox":{"providers":{"local":{"policy":"deny"},"e2b":{}}}}', true],
  ['{"sandbox":{"policy":"deny","providers":{"local":{},"e2b":{}}}}', false],
  ["{}", false],
  ["[]", false],
  ["{", false],
])("tells of %s whether VMs have sandboxes: %s", (text, expected) => {
  const directory = mkdtempSync(join(tmpdir(), "config-"));
  const path = join(directory, "config.json");
  writeFileSync(path, text);
  expect(mayHaveSandboxes({ path, isRequired: true })).toBe(expected);
  rmSync(directory, { recursive: true });
  expect(mayHaveSandboxes({ path, isRequired: true })).toBe(false);
});

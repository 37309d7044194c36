import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { projectOf } from "../../../src/mcp-server/shim/project-of.ts";

const directory = realpathSync(mkdtempSync(join(tmpdir(), "project-of-")));
const shop = join(directory, "shop");
mkdirSync(shop);
symlinkSync(shop, join(directory, "link"));
afterAll(() => rmSync(directory, { recursive: true }));

const gone = (): string => {
  throw Object.assign(new Error("uv_cwd"), { code: "ENOENT" });
};

it.each<[string, NodeJS.ProcessEnv, () => string, string | undefined]>([
  ["what the client says", { CLAUDE_PROJECT_DIR: shop }, () => "/", shop],
  ["one path for all links to it", {}, () => join(directory, "link"), shop],
  ["the working directory", { CLAUDE_PROJECT_DIR: "" }, () => shop, shop],
  ["a project that is gone", { CLAUDE_PROJECT_DIR: "/no/such" }, () => shop, "/no/such"],
  ["nothing in the root", {}, () => "/", undefined],
  ["nothing where the working directory is gone", {}, gone, undefined],
])("takes %s", (_what, env, workingDirectory, expected) => {
  expect(projectOf(env, workingDirectory)).toBe(expected);
});

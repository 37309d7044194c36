import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/find-command.mjs";
import { layOutMain } from "../../scripts/make-release.mjs";
import "../support/dist.ts";
import { withTemporaryDirectory } from "./temporary-directory.ts";

const allowed = [
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md)$/,
  /^bin\/agentos-mcp\.mjs$/,
  /^scripts\/(?:find-pinned-node|pinned-node-packages)\.mjs$/,
  /^native\/(?:cell-launcher|sandbox-agent)\/prebuilt\/linux-(?:x64|arm64)$/,
  /^dist\/build-id$/,
  /^dist\/(?:kernel|linux|streams|vm|toolkit-cli|sandbox-escalation|mcp-server)\/.+\.(?:js|d\.ts)$/,
  /^dist\/chunks\/[\w-]+\.js$/,
  /^dist\/vm\/cell\/(?:main|cell(?:-[a-z0-9-]+)?)\.cjs(?:\.cache)?$/,
  /^dist\/isolated-vm\/(?:LICENSE|index\.cjs|prebuilds\/[a-z0-9-]+\/isolated-vm\.[a-z0-9.]+\.node)$/,
  /^dist\/guest-binding\/linux-x64-glibc\.node$/,
  /^dist\/guest\/(?:builtins\.json|snapshot\.bin)$/,
];

describe("the published package", () => {
  let files: string[];
  beforeAll(async () => {
    files = await withTemporaryDirectory(async (directory) => {
      const cwd = layOutMain(directory);
      const args = ["pack", "--dry-run", "--json"];
      const { stdout } = await promisify(execFile)("npm", args, { cwd, timeout: 60_000 });
      const [packed]: { files: { path: string }[] }[] = JSON.parse(stdout);
      return packed?.files.map(({ path }) => path) ?? [];
    });
  }, 90_000);

  it("holds nothing but the build, the command and what they need", () => {
    expect(files.filter((file) => !allowed.some((pattern) => pattern.test(file)))).toEqual([]);
  });

  it("holds the command, its documents, the launchers of cells and sandboxes, and the finder of the pinned Node", () => {
    expect(files.filter((file) => !file.startsWith("dist/")).sort()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "bin/agentos-mcp.mjs",
      "native/cell-launcher/prebuilt/linux-arm64",
      "native/cell-launcher/prebuilt/linux-x64",
      "native/sandbox-agent/prebuilt/linux-arm64",
      "native/sandbox-agent/prebuilt/linux-x64",
      "package.json",
      "scripts/find-pinned-node.mjs",
      "scripts/pinned-node-packages.mjs",
    ]);
  });

  it("holds the build of every source file, with its types, and of no other", () => {
    const sources = readdirSync(join(projectRoot, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => [".js", ".d.ts"].map((end) => `dist/${file.replace(/\.ts$/, end)}`));
    const built = files.filter((file) =>
      /^dist\/(?!chunks\/|isolated-vm\/|guest-binding\/|guest\/|vm\/cell\/(?:main|cell(?:-[a-z0-9-]+)?)\.cjs).+\./.test(
        file,
      ),
    );
    expect(built.sort()).toEqual(sources.sort());
  });

  it("holds isolated-vm's binaries for every platform that has them", () => {
    const platforms = files
      .filter((file) => file.endsWith(".abi147.node") || file.endsWith(".abi147.glibc.node"))
      .map((file) => file.split("/").at(-2) ?? "");
    expect(platforms.sort()).toEqual(["darwin-arm64", "linux-arm64", "linux-x64", "win32-x64"]);
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/find-command.mjs";

/** A path into dist, a name by which the package finds it, the command or an example that runs it. */
const reachesDist = [
  /(?:^|[^\w/]|\.\.\/)dist[/"]/m,
  /"#isolated-vm"/,
  /(?:from|import\() ?"agentos-mcp/,
  /scripts\/ensure-dist/,
  /projectRoot, "(?:bin|examples)\//,
];

/** An import of test/support/dist.ts, or of what imports it. */
const asksForDist = /^import .*"[./\w-]*\b(?:dist|built-\w+|installation|installed-server)\.ts";$/m;

/** Files that reach dist as none of the above, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  "mcp-server/config/example.test.ts": "reads an example, and runs none",
  "package/dist-in-tests.test.ts": "is this rule",
  "package/ensure-dist.test.ts": "builds checkouts of its own",
  "support/dist.ts": "is what the others ask",
};

describe("a test of what is built", () => {
  it("imports test/support/dist.ts, so that it never runs the build of older sources", () => {
    const files = readdirSync(join(projectRoot, "test"), { recursive: true, encoding: "utf8" })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => file.endsWith(".ts") && !file.includes("/fixtures/"));
    const forgetful = files.filter((file) => {
      const text = readFileSync(join(projectRoot, "test", file), "utf8");
      return reachesDist.some((way) => way.test(text)) && !asksForDist.test(text);
    });
    expect(forgetful.sort()).toEqual(Object.keys(exceptions).sort());
  });
});

import { describeLikeNode } from "../../support/node-beside.ts";

/** Runs a file of two tests, and prints what does not depend on the clock. */
const runs = (...flags: string[]): string =>
  `const { spawnSync } = require("child_process");
  require("fs").writeFileSync("two.cjs", \`const test = require("node:test");
    test("good", () => {});
    test("bad", () => { throw new Error("no"); });\`);
  const flags = ${JSON.stringify(["--test", ...flags, "two.cjs"])};
  const { stdout, status } = spawnSync(process.execPath, flags, { encoding: "utf8" });
  const lines = stdout.split("\\n").filter((line) => /^(?:[.X]+|ok|not ok|# [a-z]+ \\d+)/.test(line));
  console.log(lines.filter((line) => !line.includes("duration")), status);`;

describeLikeNode("node --test", {
  "takes its reporter": runs("--test-reporter=tap"),
  "takes a shorter one": runs("--test-reporter=dot"),
  "runs all in one process": runs(
    "--test-isolation=none",
    "--test-name-pattern=good",
    "--test-reporter=tap",
  ),
});

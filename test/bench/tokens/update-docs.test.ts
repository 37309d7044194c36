import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { arms } from "../../../bench/tokens/arms/arm-list.ts";
import { tasks } from "../../../bench/tokens/tasks/task-list.ts";
import { replacePart } from "../../../bench/tokens/update-docs.ts";

describe("the tables in the docs", () => {
  const page = readFileSync(new URL("../../../docs/token-bench.md", import.meta.url), "utf8");

  it("are replaced between their marks", () => {
    const text = "a\n<!-- bench:tokens published -->\nold\n<!-- /bench:tokens published -->\nb\n";
    expect(replacePart(text, "published", "new")).toBe(
      "a\n<!-- bench:tokens published -->\n\nnew\n\n<!-- /bench:tokens published -->\nb\n",
    );
  });

  it("are refused where there is no place for them", () => {
    expect(() => replacePart("a", "published", "new")).toThrow(
      "The document has no place for published.",
    );
  });

  it.each(["repository", "published", "structured"] as const)("have a place for %s", (part) => {
    expect(replacePart(page, part, "new")).toContain("\n\nnew\n\n");
  });

  it("name every task and every arm", () => {
    for (const { key, title } of tasks) expect(page).toContain(`| ${key} ${title} |`);
    for (const { title } of arms) expect(page).toContain(`| ${title} |`);
  });
});

// Writes what was measured into docs/node.md, between its markers; the words around them are people's.
// node scripts/pinned.mjs test/conformance/node/update-docs.ts --tests run.json --attacks attacks.json
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type EndingCounts, formatEndings } from "../../e2e/attacks/count-endings.ts";
import { fixtures } from "../packages/package-cache.ts";
import { formatTable, type ModuleRow } from "./report.ts";

const page = resolve(import.meta.dirname, "../../../docs/node.md");

const { values: options } = parseArgs({
  options: { tests: { type: "string" }, attacks: { type: "string" } },
});

let text = existsSync(page) ? readFileSync(page, "utf8") : "# Node in a VM\n";
if (options.tests !== undefined) {
  const { modules, leftOut }: { modules: ModuleRow[]; leftOut: Record<string, number> } = read(
    options.tests,
  );
  const reasons = Object.entries(leftOut).map(([reason, count]) => `| ${reason} | ${count} |`);
  const left = ["| left out because it | files |", "| --- | ---: |", ...reasons].join("\n");
  text = put(text, "node-tests", `${formatTable(modules)}\n${left}`);
}
if (options.attacks !== undefined) {
  const { counts }: { counts: EndingCounts } = read(options.attacks);
  text = put(text, "attacks", formatEndings(counts));
}
text = put(text, "packages", formatPackages());
writeFileSync(page, text);

function read<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Puts a part in the place of the one with the same markers; a new one goes to the end. */
function put(all: string, name: string, part: string): string {
  const [start, end] = [`<!-- ${name}: measured -->`, `<!-- ${name}: end -->`];
  const whole = `${start}\n${part.trimEnd()}\n${end}`;
  const [from, to] = [all.indexOf(start), all.indexOf(end)];
  if (from < 0 || to < from) return `${all.trimEnd()}\n\n${whole}\n`;
  return `${all.slice(0, from)}${whole}${all.slice(to + end.length)}`;
}

function formatPackages(): string {
  const { dependencies }: { dependencies: Record<string, string> } = read(
    join(fixtures, "package.json"),
  );
  return Object.entries(dependencies)
    .map(([name, version]) => `${name} ${version}`)
    .join(", ");
}

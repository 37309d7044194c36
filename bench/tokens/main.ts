// `npm run bench:tokens`: what doing five tasks costs a model in tokens, by how it is given its tools.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureDist } from "../../scripts/ensure-dist.mjs";
import { arms } from "./arms/arm-list.ts";
import { publishedServers, repositoryServers } from "./catalogue/published-servers.ts";
import { caveats } from "./caveats.ts";
import { formatReport, formatSummary } from "./report.ts";
import { type BenchResult, runBench } from "./run-bench.ts";
import { tasks } from "./tasks/task-list.ts";
import { type DocsPart, updateDocs } from "./update-docs.ts";

const HELP = `npm run bench:tokens -- [options]
  --published       add the tools of five more published MCP servers, which npm installs the first time
  --tasks A,B       of ${tasks.map(({ key }) => key).join(", ")}
  --arms A,B        of ${arms.map(({ key }) => key).join(", ")}
  --structured      a client that shows its model the structured content of results
  --json            print the results as JSON
  --update-docs     put the tables into docs/token-bench.md
  --keep FOLDER     write every conversation there
No model and, without --published, no network: the same figures in every run (with --structured, but for
the digits of times).
`;

const { values: options } = parseArgs({
  options: {
    published: { type: "boolean", default: false },
    tasks: { type: "string" },
    arms: { type: "string" },
    structured: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    "update-docs": { type: "boolean", default: false },
    keep: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (options.help) process.stdout.write(HELP);
else await run();

async function run(): Promise<void> {
  await ensureDist();
  const result = await runBench({
    servers: options.published ? await publishedServers(say) : repositoryServers(),
    tasks: options.tasks?.split(","),
    arms: options.arms?.split(","),
    shows: options.structured ? "structured" : "content",
    say,
    onTrial: keepConversation,
  });
  if (options["update-docs"]) updateDocs(docsPart(), docsReport(result));
  const text = options.json ? JSON.stringify(result, null, 2) : formatReport(result);
  process.stdout.write(`${text}\n`);
  if (!options.json) process.stdout.write(`\n${caveats}`);
}

function docsPart(): DocsPart {
  if (options.structured) return "structured";
  return options.published ? "published" : "repository";
}

/** In full for what everybody can run. */
function docsReport(result: BenchResult): string {
  return docsPart() === "repository" ? formatReport(result) : formatSummary(result);
}

function keepConversation(name: string, conversation: unknown): void {
  if (options.keep === undefined) return;
  mkdirSync(options.keep, { recursive: true });
  const file = join(options.keep, `${name}.json`);
  writeFileSync(file, `${JSON.stringify(conversation, null, 2)}\n`);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

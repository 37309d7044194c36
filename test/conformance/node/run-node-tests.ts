// Runs Node's own test/parallel, from a checkout given by path, in VMs of ours, and says per module how
// many pass. `node scripts/pinned.mjs test/conformance/node/run-node-tests.ts --help`
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { hostBaseline } from "./host-baseline.ts";
import { modules } from "./module-groups.ts";
import type { Outcome } from "./outcome.ts";
import { countModules, countReasons, formatTable, kindOf, type Measured } from "./report.ts";
import { runInVms } from "./run-in-vms.ts";
import { readTestFiles, type TestFile } from "./test-file.ts";

const usage = `usage: run-node-tests.ts --node <nodejs checkout> [options]
  --module <name>     only that module's files; may be given again. One of:
                      ${modules.join(", ")}
  --filter <regexp>   only files whose name matches
  --jobs <n>          files at a time (2)
  --baseline <file>   where the host's own results are kept between runs
  --timeout <s>       for one file in a VM (30)
  --json <file>       every file with what came of it
  --table <file>      the table per module, as Markdown
  --host-only         measure only the host's own Node
  --list              say what would run and what is left out, run nothing
  --verbose           a line for each file, not only for those that fail
`;

const { values: options } = parseArgs({
  options: {
    node: { type: "string" },
    module: { type: "string", multiple: true },
    filter: { type: "string" },
    jobs: { type: "string", default: "2" },
    baseline: { type: "string" },
    timeout: { type: "string", default: "30" },
    json: { type: "string" },
    table: { type: "string" },
    "host-only": { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (options.help || options.node === undefined) {
  (options.help ? process.stdout : process.stderr).write(usage);
  process.exitCode = options.help ? 0 : 2;
} else {
  await main(resolve(options.node));
}

async function main(checkout: string): Promise<void> {
  const chosen = choose(readTestFiles(checkout));
  const candidates = chosen.filter(({ leftOut }) => leftOut === undefined);
  tell(`${chosen.length} files, ${candidates.length} to run`);
  if (options.list) {
    for (const { name, module, leftOut } of chosen) say(`${module}\t${name}\t${leftOut ?? ""}\n`);
    return;
  }
  const jobs = Number(options.jobs);
  const host = await hostBaseline(candidates, { checkout, path: options.baseline, jobs, tell });
  const vm = new Map<string, Outcome>();
  if (!options["host-only"]) {
    const files = candidates.filter(({ name }) => host.get(name)?.verdict === "passed");
    await runInVms(files, {
      checkout,
      jobs,
      limitMs: Number(options.timeout) * 1000,
      ended: (file, outcome) => {
        vm.set(file.name, outcome);
        tellOutcome(file, outcome, `${vm.size}/${files.length}`);
      },
    });
  }
  report(chosen.map((file) => ({ file, host: host.get(file.name), vm: vm.get(file.name) })));
}

function choose(files: readonly TestFile[]): TestFile[] {
  const { module, filter } = options;
  const unknown = module?.find((name) => !modules.includes(name));
  if (unknown !== undefined) throw new Error(`There is no module "${unknown}"; see --help.`);
  const pattern = filter === undefined ? undefined : new RegExp(filter);
  return files.filter(
    (file) =>
      (module?.includes(file.module) ?? true) && (pattern === undefined || pattern.test(file.name)),
  );
}

function report(measured: readonly Measured[]): void {
  const byTable = countModules(measured).toSorted(
    (a, b) => modules.indexOf(a.module) - modules.indexOf(b.module),
  );
  const table = formatTable(byTable);
  const leftOut = countReasons(measured);
  say(`\n${table}\nLeft out:\n`);
  for (const [reason, count] of Object.entries(leftOut))
    say(`${count.toString().padStart(5)}  ${reason}\n`);
  if (options.table !== undefined) writeFileSync(options.table, table);
  if (options.json === undefined) return;
  const files = measured.map((one) => ({
    name: one.file.name,
    module: one.file.module,
    kind: kindOf(one),
    leftOut: one.file.leftOut,
    host: one.host,
    vm: one.vm,
  }));
  writeFileSync(options.json, `${JSON.stringify({ modules: byTable, leftOut, files }, null, 1)}\n`);
}

function tellOutcome(file: TestFile, outcome: Outcome, place: string): void {
  if (outcome.verdict === "passed" && !options.verbose) return;
  tell(
    `${place} ${outcome.verdict} ${file.name} (${outcome.durationMs} ms): ${outcome.line ?? ""}`,
  );
}

function say(text: string): void {
  process.stdout.write(text);
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

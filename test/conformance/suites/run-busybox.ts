// Run by hand with busybox's source checked out somewhere, by the pinned node:
//   test/conformance/suites/run-busybox.ts /path/to/busybox [name…]
// Runs testsuite/*.tests and the scripts of shell/ash_test in a VM and under the host's bash and GNU
// tools. busybox differs from GNU here and there: what counts is where GNU passes and we do not.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SeedEntry } from "../../../src/kernel/index.ts";
import { programNames } from "../../../src/vm/programs/registry.ts";
import { boot } from "../../support/boot.ts";

const [folder, ...wanted] = process.argv.slice(2);
if (folder === undefined) throw new Error("say where busybox is");
const LIMIT_MS = 120_000;
const suite = "/tmp/suite";
/** Every feature that a test may ask for. */
const flags = ":FEATURE_ALL:";

/** What tests run as `busybox NAME`, and the option flags that they ask for. */
const busybox = '#!/bin/sh\nexec "$@"\n';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface Counts {
  readonly passed: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

let total = { ours: 0, host: 0, cases: 0 };
say("| suite | cases | VM | host's GNU | only GNU passes |");
say("| --- | --: | --: | --: | --- |");
const names = new Set([...programNames(), "ash"]);
for (const file of readdirSync(join(folder, "testsuite"))) {
  const name = file.replace(/\.tests$/, "");
  if (!file.endsWith(".tests") || !names.has(name) || (wanted.length > 0 && !wanted.includes(name)))
    continue;
  report(name, await inVm(`sh ./${file}`), onHost(`bash ./${file}`));
}
for (const group of readdirSync(join(folder, "shell/ash_test"))) {
  const path = join(folder, "shell/ash_test", group);
  if (!statSync(path).isDirectory() || group === "ash-z_slow") continue;
  if (wanted.length > 0 && !wanted.includes(group)) continue;
  report(group, await scriptsInVm(path), scriptsOnHost(path));
}
say(`| all | ${total.cases} | ${total.ours} | ${total.host} | |`);

function report(name: string, ours: Counts, host: Counts): void {
  const cases = new Set([...ours.passed, ...ours.failed, ...host.passed, ...host.failed]);
  const only = [...host.passed].filter((one) => !ours.passed.has(one));
  total = {
    cases: total.cases + cases.size,
    ours: total.ours + ours.passed.size,
    host: total.host + host.passed.size,
  };
  say(
    `| ${name} | ${cases.size} | ${ours.passed.size} | ${host.passed.size} | ${only.join("; ").replaceAll("|", "\\|").replaceAll("\n", " ")} |`,
  );
}

function countLines(stdout: string): Counts {
  const lines = (word: string): Set<string> =>
    new Set(
      [...stdout.matchAll(new RegExp(`^${word}: (.*)$`, "gm"))].map(([, title = ""]) => title),
    );
  return { passed: lines("PASS"), failed: lines("FAIL") };
}

/** Features are taken as there: the script looks for them in OPTIONFLAGS. */
function prepared(): string {
  const text = readFileSync(join(folder ?? "", "testsuite/testing.sh"), "utf8");
  return text.replace(/^optional\(\)\n\{/m, "optional()\n{\n\tSKIP=; return");
}

function environment(home: string): Record<string, string> {
  return {
    LC_ALL: "C",
    HOME: home,
    OPTIONFLAGS: flags,
    ECHO: "echo",
    TZ: "UTC",
    bindir: "/usr/bin",
  };
}

function onHost(script: string): Counts {
  const directory = mkdtempSync(join(tmpdir(), "busybox-"));
  try {
    cpSync(join(folder ?? "", "testsuite"), directory, { recursive: true });
    writeFileSync(join(directory, "testing.sh"), prepared());
    writeFileSync(join(directory, "busybox"), busybox, { mode: 0o755 });
    const { stdout } = spawnSync("bash", ["-c", script], {
      cwd: directory,
      env: { PATH: `${directory}:/usr/bin:/bin`, ...environment(directory) },
      input: "",
      encoding: "latin1",
      timeout: LIMIT_MS,
    });
    return countLines(stdout);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function inVm(script: string): Promise<Counts> {
  const seed = [...entriesOf(join(folder ?? "", "testsuite"), suite)].filter(
    ({ path }) => !/\/(?:testing\.sh|busybox)$/.test(path),
  );
  const own = { kind: "file", mode: 0o755, uid: 1000, gid: 1000 } as const;
  const machine = await boot({
    limits: { maxFilesystemBytes: 512 * 1024 * 1024 },
    seed: [
      ...seed,
      { ...own, path: `${suite}/testing.sh`, content: new TextEncoder().encode(prepared()) },
      { ...own, path: `${suite}/busybox`, content: new TextEncoder().encode(busybox) },
    ],
  });
  const { output } = await machine.runBytes(["bash", "-c", script], {
    cwd: suite,
    env: { PATH: `${suite}:/usr/bin:/bin`, ...environment(suite) },
    limitMs: LIMIT_MS,
  });
  for (const line of machine.logged) say(`${script}: ${line}`);
  return countLines(Buffer.from(output).toString("latin1"));
}

async function scriptsInVm(path: string): Promise<Counts> {
  const passed = new Set<string>();
  const failed = new Set<string>();
  for (const name of testsOf(path)) {
    const machine = await boot({ seed: [...entriesOf(path, suite), ...recho()] });
    const { output } = await machine.runBytes(
      ["sh", "-c", `ash() { sh "$@"; }; THIS_SH=sh sh ./${name} 2>&1`],
      {
        cwd: suite,
        env: { LC_ALL: "C", HOME: suite, THIS_SH: "sh", PATH: `${suite}:/usr/bin:/bin` },
        limitMs: 20_000,
      },
    );
    (isRight(path, name, Buffer.from(output).toString("latin1")) ? passed : failed).add(name);
  }
  return { passed, failed };
}

function scriptsOnHost(path: string): Counts {
  const passed = new Set<string>();
  const failed = new Set<string>();
  for (const name of testsOf(path)) {
    const directory = mkdtempSync(join(tmpdir(), "busybox-"));
    cpSync(path, directory, { recursive: true });
    for (const entry of recho()) {
      if ("content" in entry)
        writeFileSync(
          join(directory, entry.path.slice(suite.length)),
          entry.content as Uint8Array,
          { mode: 0o755 },
        );
    }
    const { stdout } = spawnSync("bash", ["-c", `bash --posix ./${name} 2>&1`], {
      cwd: directory,
      env: {
        LC_ALL: "C",
        HOME: directory,
        THIS_SH: "bash --posix",
        PATH: `${directory}:/usr/bin:/bin`,
      },
      input: "",
      encoding: "latin1",
      timeout: 20_000,
    });
    (isRight(path, name, stdout) ? passed : failed).add(name);
    rmSync(directory, { recursive: true, force: true });
  }
  return { passed, failed };
}

function testsOf(path: string): string[] {
  return readdirSync(path).filter(
    (name) =>
      name.endsWith(".tests") && readdirSync(path).includes(name.replace(/tests$/, "right")),
  );
}

/** Messages start with the shell's name and line, which are not ash's. */
function isRight(path: string, name: string, got: string): boolean {
  const plain = (text: string): string =>
    text.replace(/^\S*(?:sh|\.tests): (?:line \d+: )?(?:\d+: )?/gm, "").replace(/\n+$/, "");
  const right = readFileSync(join(path, name.replace(/tests$/, "right")), "latin1");
  return plain(got) === plain(right);
}

/** Programs that its scripts use and busybox compiles. */
function recho(): SeedEntry[] {
  const own = { kind: "file", mode: 0o755, uid: 1000, gid: 1000 } as const;
  const script = (text: string): Uint8Array => new TextEncoder().encode(text);
  return [
    {
      ...own,
      path: `${suite}/recho`,
      content: script(
        '#!/bin/bash\ni=1; for a; do printf "argv[%d] = <%s>\\n" $i "$a"; i=$((i+1)); done\n',
      ),
    },
    { ...own, path: `${suite}/zecho`, content: script('#!/bin/bash\necho "$*"\n') },
  ];
}

function* entriesOf(from: string, to: string): Generator<SeedEntry> {
  yield { path: to, kind: "directory", mode: 0o755, uid: 1000, gid: 1000 };
  for (const name of readdirSync(from)) {
    const path = join(from, name);
    if (statSync(path).isDirectory()) yield* entriesOf(path, `${to}/${name}`);
    else
      yield {
        path: `${to}/${name}`,
        kind: "file",
        mode: 0o755,
        uid: 1000,
        gid: 1000,
        content: readFileSync(path),
      };
  }
}

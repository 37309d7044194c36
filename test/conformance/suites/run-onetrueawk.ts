// Run by hand with onetrueawk's `testdir` checked out somewhere, by the pinned node:
//   test/conformance/suites/run-onetrueawk.ts /path/to/testdir
// Its programs (t.*, p.*, tt.*) run under the host's awk and in a VM; what they print has to be equal.
// Its scripts (T.*) run under the host's sh and in a VM; the VM may complain of nothing the host does not.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeText, O_CREAT, O_WRONLY } from "../../../src/kernel/index.ts";
import { boot, type TestMachine } from "../../support/boot.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("say where onetrueawk's testdir is");
const LIMIT_MS = 60_000;
const suite = "/tmp/suite";
const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
}

async function bootWithSuite(): Promise<TestMachine> {
  const machine = await boot();
  const { sys } = machine;
  await sys.mkdir(suite, 0o777);
  await sys.chown(suite, 1000, 1000);
  for (const name of names) {
    const fd = await sys.open(`${suite}/${name}`, O_WRONLY | O_CREAT, 0o755);
    const bytes = readFileSync(join(folder ?? "", name));
    for (let at = 0; at < bytes.length; ) at += await sys.write(fd, bytes.subarray(at));
    await sys.close(fd);
    await sys.chown(`${suite}/${name}`, 1000, 1000);
  }
  return machine;
}

async function inVm(machine: TestMachine, script: string): Promise<Outcome> {
  const { result, output } = await machine.runBytes(["bash", "-c", script], {
    cwd: suite,
    env: { LC_ALL: "C", awk: "awk" },
    limitMs: LIMIT_MS,
  });
  return { stdout: Buffer.from(output).toString("latin1"), stderr: result.stderr };
}

function onHost(script: string): Outcome {
  const directory = mkdtempSync(join(tmpdir(), "onetrueawk-"));
  try {
    cpSync(folder ?? "", directory, { recursive: true });
    const { stdout, stderr } = spawnSync("bash", ["-c", script], {
      cwd: directory,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C", awk: "awk", HOME: directory },
      input: "",
      encoding: "latin1",
      timeout: LIMIT_MS,
      maxBuffer: 64 * 1024 * 1024,
    });
    return { stdout, stderr };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function complaints({ stdout, stderr }: Outcome): readonly string[] {
  return `${stdout}\n${stderr}`.split("\n").filter((line) => line.includes("BAD"));
}

async function runPrograms(kind: string, pattern: RegExp, data: string): Promise<void> {
  const programs = names.filter((name) => pattern.test(name));
  const failed: string[] = [];
  for (const program of programs) {
    const script = `awk -f ${program} ${data}`;
    const machine = await bootWithSuite();
    const ours = await inVm(machine, script);
    if (ours.stdout !== onHost(script).stdout) failed.push(program);
  }
  report(kind, programs.length, failed);
}

async function runScripts(): Promise<void> {
  const scripts = names.filter((name) => name.startsWith("T."));
  const failed: string[] = [];
  for (const name of scripts) {
    const machine = await bootWithSuite();
    const script = `sh ./${name}`;
    const ours = complaints(await inVm(machine, script));
    const theirs = new Set(complaints(onHost(script)));
    const own = ours.filter((line) => !theirs.has(line));
    if (own.length > 0) failed.push(`${name} (${own.length}: ${own.slice(0, 4).join("; ")})`);
  }
  report("T.* scripts", scripts.length, failed);
}

function report(kind: string, count: number, failed: readonly string[]): void {
  const lines = [
    `${kind}: ${count - failed.length} of ${count}`,
    ...failed.map((one) => `  ${one}`),
  ];
  process.stdout.write(encodeText(`${lines.join("\n")}\n`));
}

await runPrograms("t.* programs", /^t\.[^.]+$/, "test.data");
await runPrograms("p.* programs", /^p\./, "test.countries test.countries");
await runPrograms("tt.* programs", /^tt\./, "test.data");
await runScripts();
process.exit(0);

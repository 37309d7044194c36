import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SeedEntry } from "../../../src/kernel/index.ts";
import { boot } from "../../support/boot.ts";
import { unless } from "../../support/unless.ts";
import { type PublicScript, publicScripts } from "./public-scripts.ts";

/** Where `scripts/fetch-public-scripts.mjs` has put them; not there on every machine. */
const folder = process.env["AGENTOS_PUBLIC_SCRIPTS"] ?? join(tmpdir(), "agentos-mcp-scripts");
const obstacle =
  existsSync(join(folder, "usr")) && existsSync("/bin/bash")
    ? undefined
    : "needs bash and Debian's scripts (scripts/fetch-public-scripts.mjs)";

const LIMIT_MS = 60_000;

describe(
  "public shell scripts print what they print under the host's bash",
  unless(obstacle),
  () => {
    it.each(publicScripts.map((script) => [script.title, script] as const))(
      "%s",
      async (_title, script) => {
        expect(await runInVm(script)).toEqual(runOnHost(script));
      },
      LIMIT_MS * 2,
    );
  },
);

interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

function environment(home: string): Record<string, string> {
  return { LC_ALL: "C", HOME: home, TZ: "UTC", S: folder, TERM: "dumb" };
}

/** Without what tells the two machines apart: where they are, and what time it is. */
function withoutPlaces(text: string, directory: string, shells = "/usr/bin"): string {
  return text
    .replaceAll(directory, "DIRECTORY")
    .replaceAll(`${shells}/sh`, "/usr/bin/sh")
    .replaceAll(/\b[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} UTC \d{4}\b/g, "TIME");
}

function runOnHost({ commands }: PublicScript): Answer {
  const directory = mkdtempSync(join(tmpdir(), "public-script-"));
  const shells = mkdtempSync(join(tmpdir(), "public-script-shells-"));
  try {
    // `sh` is bash in a VM; here it may be another shell.
    symlinkSync("/bin/bash", join(shells, "sh"));
    const { stdout, stderr, status } = spawnSync("bash", ["-c", commands], {
      cwd: directory,
      env: { PATH: `${shells}:/usr/bin:/bin`, ...environment(directory) },
      input: "",
      encoding: "latin1",
      timeout: LIMIT_MS,
    });
    return {
      stdout: withoutPlaces(stdout, directory, shells),
      stderr: withoutPlaces(stderr, directory, shells),
      status: status ?? -1,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
    rmSync(shells, { recursive: true, force: true });
  }
}

async function runInVm({ commands, paths }: PublicScript): Promise<Answer> {
  const seed = paths.flatMap((path) => [...entriesOf(join(folder, path))]);
  const machine = await boot({ seed: [...parentsOf(seed), ...seed] });
  const directory = "/tmp/case";
  await machine.sys.mkdir(directory, 0o755);
  await machine.sys.chown(directory, 1000, 1000);
  const { result, output } = await machine.runBytes(["bash", "-c", commands], {
    cwd: directory,
    env: environment(directory),
    limitMs: LIMIT_MS,
  });
  expect(machine.logged).toEqual([]);
  return {
    stdout: withoutPlaces(Buffer.from(output).toString("latin1"), directory),
    stderr: withoutPlaces(result.stderr, directory),
    status: result.status,
  };
}

function* entriesOf(path: string): Generator<SeedEntry> {
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path)) yield* entriesOf(join(path, name));
    return;
  }
  yield { path, kind: "file", mode: 0o755, content: readFileSync(path) };
}

/** Every directory on the way, once. */
function* parentsOf(entries: readonly SeedEntry[]): Generator<SeedEntry> {
  const seen = new Set<string>(["/", "/tmp"]);
  for (const { path } of entries) {
    const missing: string[] = [];
    for (let at = dirname(path); !seen.has(at); at = dirname(at)) {
      seen.add(at);
      missing.unshift(at);
    }
    for (const at of missing) yield { path: at, kind: "directory", mode: 0o755 };
  }
}

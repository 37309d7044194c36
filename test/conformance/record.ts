// Run by hand on Debian with GNU's tools, by the pinned node:
//   test/conformance/record.ts shell|programs [family…]
// Writes what bash and the tools answer here to each script of the families, all of them if none is named.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Answer,
  type Area,
  listFamilies,
  listScripts,
  loadFamily,
  recordedFile,
} from "./recorded-case.ts";

const [area, ...named] = process.argv.slice(2);
if (area !== "shell" && area !== "programs") throw new Error("say shell or programs");
for (const family of named.length === 0 ? listFamilies(area) : named)
  await recordFamily(area, family);

async function recordFamily(where: Area, family: string): Promise<void> {
  const { scripts } = await loadFamily(where, family);
  const cases = listScripts(scripts).map((one) => ({ ...one, ...record(one.script) }));
  writeFileSync(recordedFile(where, family), `${JSON.stringify(cases, null, 2)}\n`);
  process.stdout.write(`${family}: ${cases.length} cases\n`);
}

function record(script: string): Answer {
  const directory = mkdtempSync(join(tmpdir(), "record-"));
  try {
    const { stdout, stderr, status } = spawnSync("bash", ["-c", script], {
      cwd: directory,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C", HOME: directory, TZ: "UTC" },
      input: "",
      encoding: "latin1",
      timeout: 20_000,
    });
    return { stdout, stderr, status: status ?? -1 };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

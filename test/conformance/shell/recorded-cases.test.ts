import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { boot } from "../../support/boot.ts";

interface RecordedCase {
  readonly id: string;
  readonly script: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

describeRecorded("bash, as recorded on Debian", "shell-cases.json");
describeRecorded("GNU's tools, as recorded on Debian", "program-cases.json");

/** Every script gives the same bytes on both outputs and the same status as the original gave. */
function describeRecorded(title: string, file: string): void {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  const groups = Map.groupBy(
    JSON.parse(text) as RecordedCase[],
    ({ id }) => id.split(":")[0] ?? "",
  );
  describe(title, () => {
    it.each([...groups])("%s", async (_group, cases) => {
      const got = [];
      for (const { id, script } of cases) got.push({ id, script, ...(await answer(script)) });
      expect(got).toEqual(cases);
    });
  });
}

async function answer(script: string): Promise<Omit<RecordedCase, "id" | "script">> {
  const machine = await boot();
  const directory = "/tmp/case";
  await machine.sys.mkdir(directory, 0o755);
  await machine.sys.chown(directory, 1000, 1000);
  const { result, output } = await machine.runBytes({
    argv: ["bash", "-c", script],
    cwd: directory,
    env: { LC_ALL: "C", HOME: directory },
  });
  expect(machine.host.logged).toEqual([]);
  return {
    stdout: Buffer.from(output).toString("latin1"),
    stderr: result.stderr,
    status: result.status,
  };
}

// Runs recorded scripts in VMs and compares every byte with what the original answered.
import { describe, expect, it } from "vitest";
import { boot } from "../support/boot.ts";
import {
  type Answer,
  type Area,
  listFamilies,
  listScripts,
  loadFamily,
  type RecordedCase,
  readRecorded,
} from "./recorded-case.ts";

/** One test for each group of each family of the area: equal but for the differences that are known. */
export async function describeRecorded(title: string, area: Area): Promise<void> {
  for (const family of listFamilies(area)) {
    const { scripts, known = {} } = await loadFamily(area, family);
    const recorded = readRecorded(area, family);
    const different = new Set(Object.values(known).flat());
    describe(`${title}: ${family}`, () => {
      it("is recorded as its scripts stand", () => {
        expect(recorded.map(({ id, script }) => ({ id, script }))).toEqual(listScripts(scripts));
      });
      it.each([...Map.groupBy(recorded, ({ id }) => groupOf(id))])("%s", async (_group, cases) => {
        await compare(cases, different);
      });
    });
  }
}

async function compare(
  cases: readonly RecordedCase[],
  different: ReadonlySet<string>,
): Promise<void> {
  const got: RecordedCase[] = [];
  const expected: RecordedCase[] = [];
  const mended: string[] = [];
  for (const one of cases) {
    const answer = { id: one.id, script: one.script, ...(await answerOf(one.script)) };
    if (!different.has(one.id)) {
      got.push(answer);
      expected.push(one);
    } else if (isSame(answer, one)) {
      mended.push(one.id);
    }
  }
  expect(got).toEqual(expected);
  expect(mended, "known to differ, and the same").toEqual([]);
}

/** What a fresh VM answers. */
export async function answerOf(script: string): Promise<Answer> {
  const machine = await boot();
  const directory = "/tmp/case";
  await machine.sys.mkdir(directory, 0o755);
  await machine.sys.chown(directory, 1000, 1000);
  const { result, output } = await machine.runBytes(["bash", "-c", script], {
    cwd: directory,
    env: { LC_ALL: "C", HOME: directory, TZ: "UTC" },
  });
  expect(machine.logged).toEqual([]);
  return {
    stdout: Buffer.from(output).toString("latin1"),
    stderr: result.stderr,
    status: result.status,
  };
}

function isSame(one: Answer, other: Answer): boolean {
  return one.stdout === other.stdout && one.stderr === other.stderr && one.status === other.status;
}

function groupOf(id: string): string {
  return id.slice(0, id.lastIndexOf(":"));
}

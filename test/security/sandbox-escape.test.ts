// Nothing gets out of a local sandbox, whoever the server is; and each wall is there for a reason: without it an
// attack gets through.
import { execFile } from "node:child_process";
import { accessSync, constants, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { protectionNames } from "../../src/sandbox-escalation/providers/local/protections.ts";
import { findObstacle } from "../sandbox-escalation/providers/local/local-under-test.ts";
import { attacks } from "./sandbox-escape/attacks.ts";
import { raceForSecret } from "./sandbox-escape/race-for-secret.ts";
import { type Outcome, tryAttacks } from "./sandbox-escape/try-attacks.ts";

const obstacle = await findObstacle();
const isRoot = process.getuid?.() === 0;
/** Somebody without an account, subordinate ids or a home. */
const STRANGER = 23_456;

describe("docs/threat-model.md", () => {
  it("has a row for every attack on a local sandbox with the walls that stop it, and no other", () => {
    const file = fileURLToPath(new URL("../../docs/threat-model.md", import.meta.url));
    const text = readFileSync(file, "utf8");
    const section = text.slice(text.indexOf("## Local sandboxes"), text.indexOf("## Known gaps"));
    const written = [...section.matchAll(/^\| `([\w-]+)` \| (.+) \|$/gm)].map(([row]) => row);
    const tried = attacks.map(
      ({ name, opens }) => `| \`${name}\` | ${opens.join(", ") || "more than one"} |`,
    );
    expect(written).toEqual(tried);
  });
});

describe.skipIf(obstacle !== undefined)(
  `escapes from a local sandbox (${obstacle ?? "tried"})`,
  () => {
    it("lets no attack through", async () => {
      expect(await tryAttacks([])).toEqual({ through: [], tried: attacks.length });
    });

    it.skipIf(!isRoot)("lets no attack through when a plain user runs the server", async () => {
      const outcome = await tryAttacksAs(STRANGER, "[]");
      expect(outcome).toEqual({ through: [], tried: attacks.length });
    });

    it("reads and writes nothing of the host through the workspace, whatever is renamed meanwhile", async () => {
      const { plain, leaks, written } = await raceForSecret(2000);
      expect({ leaks, written }).toEqual({ leaks: 0, written: 0 });
      expect(plain).toBeGreaterThan(0);
    });

    it.each(protectionNames)("lets an attack through without %s", async (protection) => {
      const expected = attacks.filter(
        ({ opens, needs }) => opens.includes(protection) && (needs !== "root" || isRoot),
      );
      const { through } = await tryAttacks([protection]);
      if (expected.length > 0) expect(through.length).toBeGreaterThan(0);
      const allowed = attacks
        .filter(({ opens }) => opens.includes(protection))
        .map(({ name }) => name);
      // An attack may need more than this wall to fall: a kernel without the thing at all.
      expect(allowed).toEqual(expect.arrayContaining([...through]));
    });
  },
);

async function tryAttacksAs(uid: number, without: string): Promise<Outcome> {
  const script = fileURLToPath(new URL("sandbox-escape/try-attacks.ts", import.meta.url));
  accessSync(script, constants.R_OK);
  const { stdout } = await promisify(execFile)(process.execPath, [script, without], {
    uid,
    gid: uid,
    cwd: "/",
    env: { PATH: "/usr/bin:/bin", HOME: "/nonexistent", TMPDIR: "/tmp" },
  });
  return JSON.parse(stdout);
}

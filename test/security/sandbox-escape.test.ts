// Nothing gets out of a local sandbox, whoever the server is; and each wall is there for a reason: without it an
// attack gets through.
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { protectionNames } from "../../src/sandbox-escalation/providers/local/protections.ts";
import { findObstacle } from "../sandbox-escalation/providers/local/local-under-test.ts";
import {
  findSmallRoot,
  noSmallRoot,
} from "../sandbox-escalation/providers/local/make-small-root.ts";
import { notRoot, unless } from "../support/unless.ts";
import { attacks } from "./sandbox-escape/attacks.ts";
import { raceForSecret } from "./sandbox-escape/race-for-secret.ts";
import { rootAttacks } from "./sandbox-escape/root-attacks.ts";
import { type Outcome, tryAttacks } from "./sandbox-escape/try-attacks.ts";

const obstacle = await findObstacle();
const image = findSmallRoot();
const noNewuidmap = existsSync("/usr/bin/newuidmap") ? undefined : "needs newuidmap (uidmap)";
const isRoot = process.getuid?.() === 0;
/** Somebody without an account, subordinate ids or a home. */
const STRANGER = 23_456;
/** Somebody with an account and ids to lend, where the test says so. */
const LENDER = 23_457;

describe("docs/threat-model.md", () => {
  it.each([
    { title: "Local sandboxes", list: attacks },
    { title: "Local sandboxes with a root of their own", list: rootAttacks },
  ])(
    "has a row under $title for every attack with the walls that stop it, and no other",
    ({ title, list }) => {
      const file = fileURLToPath(new URL("../../docs/threat-model.md", import.meta.url));
      const text = readFileSync(file, "utf8");
      const start = text.indexOf(`## ${title}\n`);
      const section = text.slice(start, text.indexOf("\n## ", start));
      const written = [...section.matchAll(/^\| `([\w-]+)` \| (.+) \|$/gm)].map(([row]) => row);
      const tried = list.map(
        ({ name, opens }) => `| \`${name}\` | ${opens.join(", ") || "more than one"} |`,
      );
      expect(written).toEqual(tried);
    },
  );
});

describe("escapes from a local sandbox", unless(obstacle), () => {
  it("lets no attack through", async () => {
    expect(await tryAttacks([])).toEqual({ through: [], tried: attacks.length });
  });

  it("lets no attack through when a plain user runs the server", unless(notRoot), async () => {
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
});

describe(
  "escapes from a local sandbox with a root of its own",
  unless(obstacle, noSmallRoot(image)),
  () => {
    it("lets no attack through", async () => {
      expect(await tryAttacks([], image)).toEqual({ through: [], tried: rootAttacks.length });
    });

    it("lets no attack through when a plain user runs the server", unless(notRoot), async () => {
      const outcome = await tryAttacksAs(STRANGER, "[]", image);
      expect(outcome).toEqual({ through: [], tried: rootAttacks.length });
    });

    it(
      "lets no attack through when a plain user with subordinate ids runs the server",
      unless(notRoot, noNewuidmap),
      async () => {
        const outcome = await tryAttacksAs(LENDER, "[]", image);
        expect(outcome).toEqual({ through: [], tried: rootAttacks.length });
      },
    );

    it.each(
      protectionNames.filter((name) => rootAttacks.some(({ opens }) => opens.includes(name))),
    )("lets an attack through without %s", async (protection) => {
      const opened = rootAttacks.filter(({ opens }) => opens.includes(protection));
      const { through } = await tryAttacks([protection], image);
      if (opened.some(({ needs }) => needs !== "root" || isRoot))
        expect(through.length).toBeGreaterThan(0);
      expect(opened.map(({ name }) => name)).toEqual(expect.arrayContaining([...through]));
    });
  },
);

async function tryAttacksAs(uid: number, without: string, root?: string): Promise<Outcome> {
  const script = fileURLToPath(new URL("sandbox-escape/try-attacks.ts", import.meta.url));
  accessSync(script, constants.R_OK);
  const words = [process.execPath, script, without, ...(root === undefined ? [] : [root])];
  const argv = ["-m", "sh", "-euc", BECOME, "sh", String(uid), String(LENDER), ...words];
  const { stdout } = await promisify(execFile)("unshare", argv, {
    cwd: "/",
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/nonexistent", TMPDIR: "/tmp" },
  });
  return JSON.parse(stdout);
}

/** In a mount namespace, where one user has an account and subordinate ids: the host's own are not changed. */
const BECOME = `
mount --make-rprivate /
mount -t tmpfs tmpfs /mnt
cp /etc/passwd /mnt/passwd
echo "lender:x:$2:$2::/nonexistent:/bin/sh" >> /mnt/passwd
echo "lender:300000:65536" > /mnt/ids
mount --bind /mnt/passwd /etc/passwd
for f in subuid subgid; do [ ! -e /etc/$f ] || mount --bind /mnt/ids /etc/$f; done
uid=$1
shift 2
exec setpriv --reuid $uid --regid $uid --clear-groups "$@"
`;

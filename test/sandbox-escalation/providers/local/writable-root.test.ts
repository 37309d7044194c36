// Sandboxes with a root of their own: what they write stays theirs, whoever the server is.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findHostIds } from "../../../../src/sandbox-escalation/providers/local/host-ids.ts";
import { sh } from "../../../contract/sandbox-provider/run-in-sandbox.ts";
import { unless } from "../../../support/unless.ts";
import {
  findObstacle,
  type LocalTestOptions,
  type LocalUnderTest,
  openLocal,
} from "./local-under-test.ts";
import { findSmallRoot, noSmallRoot } from "./make-small-root.ts";

const found = findSmallRoot();
const image = found ?? "";
const obstacle = noSmallRoot(found) ?? (await findObstacle());

describe("roots of their own", unless(obstacle), () => {
  const opened: LocalUnderTest[] = [];
  const open = (options: LocalTestOptions = {}) => {
    const underTest = openLocal({ image, ...options });
    opened.push(underTest);
    return underTest;
  };
  // The root is unpacked once for all of them.
  const shared = open();

  afterAll(async () => {
    for (const underTest of opened) await underTest.close();
  });

  it("is root in it, writes everywhere in it, and finds that again when it was stopped", async () => {
    const { provider, makeSpec } = shared;
    const made = await provider.create(await makeSpec());
    const first = await sh(made, "id -u; echo more >> /etc/passwd; rm -r /usr/share; echo x > /a");
    expect(first).toMatchObject({ status: 0, stdout: "0\n", stderr: "" });
    await made.stop();
    await made.resume();
    const again = await sh(made, "tail -n 1 /etc/passwd; cat /a; ls -d /usr/share; pwd; echo ~");
    expect(again.stdout).toBe("more\nx\n/workspace\n/root\n");
    const other = await provider.create(await makeSpec());
    expect((await sh(other, "ls -d /usr/share; ls /a")).stdout).toBe("/usr/share\n");
    await made.destroy();
    await other.destroy();
  });

  it("gives files to its own accounts, none of which is one of the host's", async () => {
    const { provider, makeSpec } = shared;
    const spec = await makeSpec();
    const made = await provider.create(spec);
    const { packages } = made.abilities;
    const run = await sh(made, "touch f; chown 42:43 f; stat -c %u:%g f; chgrp 65534 f");
    expect(run).toMatchObject({ status: 0, stdout: packages === "full" ? "42:43\n" : "0:0\n" });
    const { uid } = statSync(join(spec.workspace, "f"));
    if (process.getuid?.() === 0) expect(uid).toBe(findHostIds().uid + 42);
    await made.destroy();
  });

  it("counts what others keep in the same moment", async () => {
    const { provider, makeSpec } = shared;
    const made = [await provider.create(await makeSpec()), await provider.create(await makeSpec())];
    const kept = await Promise.allSettled(made.map((one) => one.snapshot("at-once")));
    // Either may be the first.
    expect(kept.toSorted((one, other) => one.status.localeCompare(other.status))).toMatchObject([
      { status: "fulfilled", value: "at-once" },
      { status: "rejected", reason: { code: "limit" } },
    ]);
    for (const one of made) await one.destroy();
  });

  it("keeps what it changed under a name that an image is", async () => {
    const { provider, makeSpec } = shared;
    const made = await provider.create(await makeSpec());
    expect(made.abilities.canSnapshot).toBe(true);
    await sh(made, "rm -r /usr/share; mkdir /usr/share; echo one > /usr/share/one");
    expect(await made.snapshot("one")).toBe("one");
    await expect(made.snapshot("one")).rejects.toMatchObject({ code: "limit" });
    for (const name of ["host", "../one", ""])
      await expect(made.snapshot(name)).rejects.toMatchObject({ code: "unsupported" });
    await sh(made, "echo two > /usr/share/two");
    await made.destroy();
    const second = await provider.create(await makeSpec({ image: "one" }));
    expect((await sh(second, "ls /usr/share; rm /usr/share/one; ls /bin/sh")).stdout).toBe(
      "one\n/bin/sh\n",
    );
    await second.snapshot("two");
    const third = await provider.create(await makeSpec({ image: "two" }));
    expect((await sh(third, "ls -A /usr/share")).stdout).toBe("");
    await second.destroy();
    await third.destroy();
  });

  it("ends at once while it is kept, which a guest can make take long", async () => {
    const { provider, makeSpec, directory } = shared;
    const made = await provider.create(await makeSpec());
    await sh(made, "mkdir /many && cd /many && seq 1 20000 | xargs touch");
    const keeping = made.snapshot("never").catch((error: unknown) => error);
    const isUnderWay = (): boolean =>
      execFileSync("find", [directory, "-path", "*/kept/.new-*/layer/many"]).length > 0;
    while (!isUnderWay()) await new Promise(setImmediate);
    await made.destroy();
    expect(await keeping).toMatchObject({ code: "gone" });
    const next = await provider.create(await makeSpec());
    expect(await next.snapshot("never")).toBe("never");
    const left = execFileSync("find", [directory, "-path", "*/kept/.new-*"]);
    expect(left.toString()).toBe("");
    await next.destroy();
  });

  it("bounds how many snapshots there are", async () => {
    const { provider, makeSpec } = shared;
    const made = await provider.create(await makeSpec());
    const keep = async (): Promise<void> => {
      for (let n = 0; n < 17; n++) await made.snapshot(`number-${n}`);
    };
    await expect(keep()).rejects.toMatchObject({
      code: "limit",
      message: expect.stringMatching(/too many snapshots/),
    });
    await made.destroy();
  });

  it("takes archives as they come, and directories", async () => {
    const { provider, makeSpec, directory } = shared;
    const root = join(directory, "root");
    makeTinyRoot(root);
    for (const [name, option] of [
      ["root.tgz", "-z"],
      ["root.txz", "-J"],
    ] as const)
      execFileSync("tar", [
        ...["-C", root, "--owner=0", "--group=0", option],
        ...["-cf", join(directory, name), "."],
      ]);
    for (const name of ["root", "root.tgz", "root.txz"]) {
      const made = await provider.create(await makeSpec({ image: join(directory, name) }));
      expect((await sh(made, "stat -c %u /bin/cat; cat /etc/hosts")).stdout).toBe(
        "0\n127.0.0.1 localhost sandbox\n::1 localhost\n",
      );
      await made.destroy();
    }
  });

  it("goes on with the root it began with when the archive has changed", async () => {
    const { provider, makeSpec, directory } = shared;
    const archive = join(directory, "root.tar");
    symlinkSync(image, archive);
    const made = await provider.create(await makeSpec({ image: archive }));
    await sh(made, "echo mine > /mark");
    await made.stop();
    rmSync(archive);
    execFileSync("cp", ["--", image, archive]);
    utimesSync(archive, 1, 1);
    const newer = await provider.create(await makeSpec({ image: archive }));
    await made.resume();
    expect((await sh(made, "cat /mark; ls /bin/sh")).stdout).toBe("mine\n/bin/sh\n");
    await newer.destroy();
    await made.destroy();
  });

  it("says what is wrong with an archive that is no root, and leaves nothing of it", async () => {
    const { provider, makeSpec, directory } = shared;
    const [empty, none] = [join(directory, "empty.tar"), join(directory, "none.tar")];
    execFileSync("tar", ["-cf", empty, "-T", "/dev/null"]);
    execFileSync("cp", ["/bin/sh", none]);
    await expect(provider.create(await makeSpec({ image: empty }))).rejects.toMatchObject({
      code: "failed",
      message: expect.stringMatching(/no bin\/sh in it/),
    });
    await expect(provider.create(await makeSpec({ image: none }))).rejects.toMatchObject({
      code: "failed",
      message: expect.stringMatching(/tar/),
    });
    const unpacked = readdirSync(join(directory, "state", "roots", "unpacked"));
    expect(unpacked.filter((name) => name.startsWith("."))).toEqual([]);
    expect(await provider.list("test")).toEqual([]);
  });

  it("counts processes of all its accounts together, where nothing else does", async () => {
    const { provider, makeSpec } = open({ usesControlGroups: false });
    const spec = await makeSpec();
    const made = await provider.create({ ...spec, limits: { ...spec.limits, pids: 20 } });
    if (made.abilities.pids !== "soft") return await made.destroy();
    const line =
      "for u in 1 2 3 4 5 6 7 8 9; do perl -e '($<, $>) = ($ARGV[0], $ARGV[0]); fork; fork; sleep 300' $u & done";
    await sh(made, `(${line}) >/dev/null 2>&1`);
    expect(await made.gone).toBe("The sandbox started more than its 20 processes.");
    await made.destroy();
  });

  it("ends one whose root grows above its limit, or that makes too many files", async () => {
    const { provider, makeSpec } = shared;
    const spec = await makeSpec();
    const limits = { ...spec.limits, diskMb: 16 };
    const big = await provider.create({ ...spec, limits });
    await sh(big, "for n in 1 2 3; do head -c 9000000 /dev/zero > /usr/big$n; done; sleep 60");
    expect(await big.gone).toMatch(/more than its 16 MB of disk/);
    await big.destroy();
    const many = await provider.create({ ...(await makeSpec()), limits });
    await sh(many, "mkdir /m; cd /m; perl -e 'for (1..1100) { open F, \">$_\" }'; sleep 60");
    expect(await many.gone).toMatch(/more than the 1024 files/);
    await many.destroy();
  });

  it("lets no stranger of the host at what it made, setuid or not", async () => {
    const { provider, makeSpec, directory } = shared;
    const spec = await makeSpec();
    const made = await provider.create(spec);
    const line = "cp /bin/sh f; chmod 4755 f; cp f /f; chmod 4755 /f; stat -c %a f /f; chmod 777 .";
    expect((await sh(made, line)).stdout).toBe("4755\n4755\n");
    // The workspace is behind a directory of the server's in a home; here the test's own is.
    for (const path of [join(directory, "state"), join(directory, "state", made.ref)])
      expect(statSync(path).mode & 0o077).toBe(0);
    expect(readFileSync("/proc/self/mounts", "utf8")).not.toContain(made.ref);
    await made.destroy();
  });
});

/** A few programs of the host's and what they are linked with. */
function makeTinyRoot(root: string): void {
  const programs = ["/bin/sh", "/bin/cat", "/usr/bin/stat"];
  const linked =
    execFileSync("ldd", programs)
      .toString()
      .match(/\/\S+(?=\s\()/g) ?? [];
  const line = 'for f; do mkdir -p "$0$(dirname $f)"; cp -L "$f" "$0$f"; done';
  execFileSync("sh", ["-ec", line, root, ...programs, ...new Set(linked)]);
}

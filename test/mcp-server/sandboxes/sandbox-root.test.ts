// A VM's sandbox with a root of its own, and what happens when it takes too much of the disk.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  findSmallRoot,
  noSmallRoot,
} from "../../sandbox-escalation/providers/local/make-small-root.ts";
import { unless } from "../../support/unless.ts";
import { noSandboxes, Station } from "./station.ts";

const image = findSmallRoot();

describe("a sandbox with a root of its own", unless(noSandboxes, noSmallRoot(image)), () => {
  let station: Station;
  const sh = (command: string) => station.sh("one", command);
  beforeAll(() => {
    const limits = { memoryMb: 512, diskMb: 32 };
    station = new Station({ ...(image === undefined ? {} : { image }), limits });
  });
  afterAll(() => station.close());

  it("is written to by root, keeps that when it stops, and shares files with the VM", async () => {
    const first = await sh(
      "cd /sandbox && echo from the VM > a && sandbox exec -- sh -c 'id -u; cat a; cp a /usr/bin/mark; chown 7 a'",
    );
    expect(first).toEqual({ stdout: "0\nfrom the VM\n", stderr: "", exitCode: 0 });
    await sh("sandbox stop");
    const again = await sh(
      "cd /sandbox; sandbox exec cat /usr/bin/mark; cat a; echo more >> a; tail -n 1 a",
    );
    expect(again).toEqual({
      stdout: "from the VM\nfrom the VM\nmore\n",
      stderr: "",
      exitCode: 0,
    });
  });

  it("is kept by a snapshot, and another VM has none of it", async () => {
    expect(await sh("sandbox exec true && sandbox snapshot kept")).toMatchObject({
      stdout: "kept\n",
    });
    const taken = await sh("sandbox snapshot kept");
    expect(taken).toMatchObject({ exitCode: 125, stderr: expect.stringMatching(/already/) });
    expect(await station.sh("two", "sandbox exec ls /usr/bin/mark")).toMatchObject({
      exitCode: 2,
    });
  });

  it("stops with the reason when it takes too much of the disk, and goes on when there is room", async () => {
    const fill = "while :; do n=$((n+1)); head -c 4000000 /dev/zero > /var/$n || exit 9; done";
    const full = await sh(`sandbox exec -- sh -c '${fill}'`);
    expect(full).toEqual({
      stdout: "",
      stderr:
        "sandbox: ended: The sandbox took more than its 32 MB of disk. Remove files from its workspace.\n",
      exitCode: 137,
    });
    expect(await station.sh("two", "sandbox exec echo here")).toMatchObject({ stdout: "here\n" });
    const again = await sh("sandbox exec -- sh -c 'rm -f /var/[0-9]*; echo alive'");
    expect(again).toEqual({ stdout: "alive\n", stderr: "", exitCode: 0 });
  });
});

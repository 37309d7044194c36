// What a VM says where its sandbox could do what it cannot: one line, and nothing is started.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unless } from "../../support/unless.ts";
import { noSandboxes, Station } from "./station.ts";

/** The start of a program for Linux; what follows is never looked at. */
const ELF = "printf '\\177ELF\\2\\1\\1\\0'";
const words = "cannot execute binary file: Exec format error";

describe("a VM with a sandbox, of what it cannot run", unless(noSandboxes), () => {
  let station: Station;
  const sh = (command: string) => station.sh("one", command);
  beforeAll(() => {
    station = new Station({});
  });
  afterAll(async () => {
    expect(station.sandboxes.get("one").state).toBe("none");
    await station.close();
  });

  it.each([
    ["cd /sandbox; ./a", "./a", "sandbox exec -- ./a"],
    ["cd /sandbox/sub; ../a", "../a", "sandbox exec -- ../a"],
    ["cd /tmp; /sandbox/a", "/sandbox/a", "sandbox exec -- /workspace/a"],
    ["cd /; sandbox/sub/../a", "sandbox/sub/../a", "sandbox exec -- /workspace/a"],
    ["cd /tmp; ./b", "./b", "cp ./b /sandbox && sandbox exec -- /workspace/b"],
    ["cd /sandbox; ../tmp/b", "../tmp/b", "cp ../tmp/b /sandbox && sandbox exec -- /workspace/b"],
    [
      "cd /sandbox; './with space'",
      "./with space",
      "sandbox exec -- './with space'",
      "'./with space'",
    ],
    ["cd /sandbox; ./a & wait $!", "./a", "sandbox exec -- ./a"],
  ])("%s", async (command, name, line, shown = name) => {
    await sh(
      `mkdir -p /sandbox/sub; for f in /sandbox/a /tmp/b '/sandbox/with space'; do ${ELF} > "$f"; chmod +x "$f"; done`,
    );
    expect(await sh(command)).toEqual({
      stdout: "",
      stderr: `bash: line 1: ${name}: ${words}\n${shown}: a program for Linux itself; in the VM's sandbox: ${line}\n`,
      exitCode: 126,
    });
  });

  it("says nothing of other files that cannot be run", async () => {
    const other = await sh("cd /sandbox; printf 'a\\0b' > c; chmod +x c; ./c");
    expect(other.stderr).toBe(`bash: line 1: ./c: ${words}\n`);
  });
});

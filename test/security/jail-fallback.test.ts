// Where the kernel refuses namespaces and users, cells start without them, and the report says so.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { ProbeReport } from "../../src/vm/doctor/run-probe.ts";
import { notJailable, notRoot, unless } from "../support/unless.ts";

const probe = fileURLToPath(new URL("../../src/vm/doctor/run-probe.ts", import.meta.url));
const script = `
  const { runProbe } = await import(${JSON.stringify(probe)});
  process.stdout.write(JSON.stringify(await runProbe()));
`;

/** What a hostile cell could do under a server that a shell line starts; `$0` is Node. */
async function runUnder(line: string): Promise<{ lost: string[]; succeeded: string[] }> {
  const args = ["-c", line, process.execPath, "--no-warnings", "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)("sh", args);
  const report: ProbeReport = JSON.parse(stdout);
  return {
    lost: report.layers.filter(({ state }) => state !== "held").map(({ name }) => name),
    succeeded: report.attacks
      .filter(({ outcome }) => outcome === "succeeded")
      .map((one) => one.name),
  };
}

const namespaces = ["own-processes", "own-network", "own-ipc", "own-files"];

describe("the jail on a host that refuses", unless(notJailable, notRoot), () => {
  it("namespaces to root without capabilities: the other layers hold", async () => {
    const found = await runUnder('exec setpriv --bounding-set -all --inh-caps -all "$0" "$@"');
    expect(found).toEqual({
      lost: ["own-user", ...namespaces, "few-threads"],
      succeeded: ["start-many-threads"],
    });
  });

  it("nothing to a plain user: every layer holds", async () => {
    const found = await runUnder('exec setpriv --reuid 4242 --regid 4242 --clear-groups "$0" "$@"');
    expect(found).toEqual({ lost: [], succeeded: [] });
  });

  it("other users to root of a container: namespaces hold", async () => {
    const found = await runUnder('exec unshare -Ur "$0" "$@"');
    expect(found).toEqual({ lost: ["own-user", "few-threads"], succeeded: ["start-many-threads"] });
  });
});

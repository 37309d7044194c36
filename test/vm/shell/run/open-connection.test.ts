import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vm, Vms } from "../../../../src/vm/index.ts";
import { built } from "../../../support/built-vms.ts";

let vms: Vms;
let vm: Vm;
beforeAll(async () => {
  vms = new built.Vms({ poolSize: 0 });
  vm = await vms.create();
});
afterAll(() => vms.close());

/** A server in the background that writes the file `up` once it can be reached, and a script that then runs. */
function beside(server: string, script: string): string {
  return `cd $(mktemp -d); node -e '${server}' & until [ -e up ]; do sleep 0.01; done; ${script}; kill %1; wait`;
}
const isUp = `() => require("fs").writeFileSync("up", "")`;

describe("a redirection to /dev/tcp or /dev/udp", () => {
  it("connects to a server of the VM, for both directions", async () => {
    const server = `require("net").createServer((c) => c.on("data", (d) => c.end("got " + d))).listen(8123, ${isUp})`;
    const script =
      "exec 3<>/dev/tcp/localhost/8123; echo hello >&3; cat <&3; exec 3>&-; { echo block >&4; cat <&4; } 4<>/dev/tcp/127.0.0.1/8123";
    expect(await vm.exec(beside(server, script))).toMatchObject({
      stdout: "got hello\ngot block\n",
      stderr: "",
      exitCode: 0,
    });
  });

  it("sends datagrams and receives answers", async () => {
    const server = `const s = require("dgram").createSocket("udp4"); s.on("message", (m, r) => s.send("got " + m, r.port, r.address)); s.bind(8124, ${isUp})`;
    const script = "exec 5<>/dev/udp/127.0.0.1/8124; echo ping >&5; head -n 1 <&5; exec 5>&-";
    expect(await vm.exec(beside(server, script))).toMatchObject({
      stdout: "got ping\n",
      stderr: "",
      exitCode: 0,
    });
  });
});

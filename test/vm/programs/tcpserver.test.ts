import { describe, expect, it } from "vitest";
import { boot } from "../../support/boot.ts";

/** Runs a server in the background, and a script once it accepts connections. */
function beside(server: string, script: string): string {
  return `cd; ${server} > port & until [ -s port ]; do sleep 0.01; done; port=$(cat port); ${script}; kill %1`;
}

describe("tcpserver", () => {
  it("runs a command for each connection, and tells it who connects", async () => {
    const machine = await boot();
    const server = `tcpserver -1 127.0.0.1 0 sh -c 'read line; echo "$line from $TCPREMOTEIP by $PROTO"'`;
    const script =
      "for word in one two; do exec 3<>/dev/tcp/127.0.0.1/$port; echo $word >&3; cat <&3; exec 3>&-; done";
    expect(await machine.sh(beside(server, script))).toEqual({
      stdout: "one from 127.0.0.1 by TCP\ntwo from 127.0.0.1 by TCP\n",
      stderr: "",
      status: 0,
    });
  });

  it("serves no more at one time than it may: the next waits until one has left", async () => {
    const machine = await boot();
    const script =
      "exec 3<>/dev/tcp/127.0.0.1/$port 4<>/dev/tcp/127.0.0.1/$port; echo a >&3; echo b >&4; read x <&3; echo $x; read -t 0.2 x <&4 || echo waits; exec 3>&-; read x <&4; echo $x";
    expect(await machine.sh(beside("tcpserver -1 -c 1 127.0.0.1 0 cat", script))).toEqual({
      stdout: "a\nwaits\nb\n",
      stderr: "",
      status: 0,
    });
  });

  it("says what it cannot do", async () => {
    const machine = await boot();
    const script =
      "tcpserver 127.0.0.1 $port true; echo $?; tcpserver 127.0.0.1 0 nope; echo $?; tcpserver 127.0.0.1 70000 true; echo $?; tcpserver 1; echo $?";
    const hint = "Try 'tcpserver --help' for more information.\n";
    expect(await machine.sh(beside("tcpserver -1 127.0.0.1 0 true", script))).toEqual({
      stdout: "111\n111\n100\n100\n",
      stderr: `tcpserver: fatal: Address already in use\ntcpserver: fatal: 'nope': No such file or directory\ntcpserver: invalid port: '70000'\n${hint}tcpserver: give a host, a port and a command\n${hint}`,
      status: 0,
    });
  });
});

import { describe, expect, it } from "vitest";
import { defaultEnvironment } from "../../../src/vm/image/image.ts";
import { programNames } from "../../../src/vm/programs/registry.ts";
import { boot } from "../../support/boot.ts";

const clean = { stderr: "", status: 0 };

describe("the image", () => {
  it("has directories with the owners and modes they need", async () => {
    const machine = await boot();
    const paths = [
      "/etc",
      "/home/user",
      "/root",
      "/tmp",
      "/usr/bin",
      "/usr/local",
      "/usr/local/bin",
      "/var/tmp",
      "/workspace",
    ];
    const result = await machine.sh(`stat -c '%n %a %U:%G' ${paths.join(" ")}`);
    expect(result).toEqual({
      stdout: [
        "/etc 755 root:root",
        "/home/user 755 user:user",
        "/root 700 root:root",
        "/tmp 1777 root:root",
        "/usr/bin 755 root:root",
        "/usr/local 755 user:user",
        "/usr/local/bin 755 user:user",
        "/var/tmp 1777 root:root",
        "/workspace 755 user:user",
        "",
      ].join("\n"),
      ...clean,
    });
  });

  it("has /bin, /sbin and /lib as links into /usr", async () => {
    const machine = await boot();
    const result = await machine.sh("readlink /bin /sbin /lib");
    expect(result).toEqual({ stdout: "usr/bin\nusr/sbin\nusr/lib\n", ...clean });
  });

  it("has every program, and only sudo runs as root", async () => {
    const machine = await boot();
    const { stdout } = await machine.sh("ls /bin; find /usr -perm -4000");
    expect(stdout).toBe(
      [...[...programNames(), "node"].toSorted(), "/usr/bin/sudo", ""].join("\n"),
    );
  });

  it("names itself in os-release and knows its users", async () => {
    const machine = await boot();
    const result = await machine.sh(
      ". /etc/os-release; echo $ID; id; grep -c . /etc/passwd; cat /etc/hostname",
    );
    expect(result).toEqual({
      stdout: "agentos\nuid=1000(user) gid=1000(user) groups=1000(user)\n3\nagentos\n",
      ...clean,
    });
  });

  it("gives commands a full environment", async () => {
    expect(Object.fromEntries(defaultEnvironment)).toEqual({
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: "/home/user",
      USER: "user",
      LOGNAME: "user",
      SHELL: "/bin/bash",
      LANG: "C.UTF-8",
    });
  });

  it("lets the user write to the home, the workspace and /usr/local", async () => {
    const machine = await boot();
    const result = await machine.sh(
      "printf '#!/bin/sh\\necho mine\\n' > /usr/local/bin/mine; chmod +x /usr/local/bin/mine; mine; touch ~/f /workspace/f; touch /usr/f",
    );
    expect(result).toEqual({
      stdout: "mine\n",
      stderr: "touch: cannot touch '/usr/f': Permission denied\n",
      status: 1,
    });
  });
});

import { describe, expect, it } from "vitest";
import { clean, npmMachine } from "./npm-machine.ts";

const files = {
  "/home/user/app/package.json": '{"name":"app","version":"1.0.0","bin":"me.sh"}',
  "/home/user/app/me.sh": "#!/bin/sh\necho me $*\n",
  "/home/user/app/tool/package.json":
    '{"name":"tool","version":"1.0.0","bin":{"t1":"t1.sh","tool":"t.sh"}}',
  "/home/user/app/tool/t.sh":
    '#!/bin/sh\necho tool "$@" $npm_lifecycle_event $npm_command; exit ${CODE:-0}\n',
  "/home/user/app/tool/t1.sh": "#!/bin/sh\necho t1 $*\n",
  "/node_modules/soft/package.json": '{"name":"soft","version":"4.0.0","bin":{"softcmd":"cli.sh"}}',
  "/node_modules/soft/cli.sh": "#!/bin/sh\necho soft $*\n",
};

describe("npx", () => {
  it("runs commands that are installed, from any folder below", async () => {
    const machine = await npmMachine(files);
    const script =
      "cd app; npm i -s ./tool; npx tool a 'b  c' --flag; npx t1 x; npx app 1; mkdir -p sub; cd sub; npx tool; npm exec -- t1 y; npm x t1 z";
    expect(await machine.sh(script)).toEqual({
      stdout: "tool a b  c --flag npx exec\nt1 x\nme 1\ntool npx exec\nt1 y\nt1 z\n",
      ...clean,
    });
    expect((await machine.sh("cd app; CODE=7 npx tool")).status).toBe(7);
  });

  it("runs a folder's command, and a global one", async () => {
    const machine = await npmMachine(files);
    expect(
      (
        await machine.sh(
          "cd app; npx ./tool a; npm i -s -g ./tool; cd /tmp; npx t1 b; npx tool@1 c",
        )
      ).stdout,
    ).toBe("tool a npx exec\nt1 b\ntool c npx exec\n");
  });

  it("runs packages of mounted software by their names", async () => {
    const machine = await npmMachine(files);
    const script =
      "cd app; npx soft 1; npx soft@4 2; npx -p soft softcmd 3; npx --package=soft -c 'softcmd 4 | tr a-z A-Z'; npx -c 'echo $npm_package_name'";
    expect(await machine.sh(script)).toEqual({
      stdout: "soft 1\nsoft 2\nsoft 3\nSOFT 4\napp\n",
      ...clean,
    });
  });

  it("lets no command of the software stand in for the VM's own", async () => {
    const machine = await npmMachine({
      ...files,
      "/node_modules/.bin/cat": "#!/bin/sh\necho wrong cat\n",
      "/node_modules/.bin/other": "#!/bin/sh\necho other | cat\n",
    });
    const script =
      "cd app; npm pkg set scripts.c='echo right | cat; other'; npm run -s c; npx other";
    expect((await machine.sh(script)).stdout).toBe("right\nother\nother\n");
  });

  it("says what is not in the VM", async () => {
    const machine = await npmMachine(files);
    expect(await machine.sh("cd app; npx --no-install nope")).toEqual({
      stdout: "",
      stderr: 'npm error npx canceled due to missing packages and no YES option: ["nope"]\n',
      status: 1,
    });
    for (const words of ["nope", "-y nope", "soft@5", "-p nope -c 'true'"]) {
      const { stderr, status } = await machine.sh(`cd app; npx ${words}`);
      expect(status).toBe(1);
      expect(stderr).toMatch(
        /^npm error code ENONETWORK\nnpm error This VM has no network yet, [^\n]*\nnpm error {3}(?:nope|soft@5)\n/,
      );
    }
  });

  it("takes no word of the shell for a command", async () => {
    const machine = await npmMachine(files);
    const { stdout, status } = await machine.sh("cd app; npx 'x;echo bad'; npx '$(echo bad)'");
    expect({ stdout, status }).toEqual({ stdout: "", status: 1 });
  });
});

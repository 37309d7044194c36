import { describe, expect, it } from "vitest";
import { npmMachine } from "./npm-machine.ts";

const app = { "/home/user/app/package.json": '{"name":"app"}' };

describe("npm with hostile packages", () => {
  it("keeps a tarball's files inside its folder", async () => {
    const machine = await npmMachine(app);
    const script = `mkdir -p package/sub; echo '{"name":"evil","version":"1.0.0"}' > package/package.json; echo bad > package/sub/x; ln -s /etc package/etc
      tar czPf evil.tgz --transform 's,package/sub/x,package/../../../../pwned,' package; cd app; npm i -s ../evil.tgz; echo $?; ls -A node_modules/evil; ls /home/user /pwned 2>/dev/null`;
    expect((await machine.sh(script)).stdout).toBe(
      "0\npackage.json\n/home/user:\napp\nevil.tgz\npackage\n",
    );
  });

  it("keeps commands inside the package and the folder of commands", async () => {
    const machine = await npmMachine({
      ...app,
      "/home/user/dep/package.json": JSON.stringify({
        name: "dep",
        version: "1.0.0",
        bin: { "../../../evil": "x.sh", out: "../../../../bin/ls", "..": "x.sh", fine: "./x.sh" },
      }),
      "/home/user/dep/x.sh": "#!/bin/sh\n",
    });
    const script = "cd app; npm i -s ../dep; ls node_modules/.bin ..; readlink node_modules/.bin/*";
    expect((await machine.sh(script)).stdout).toBe(
      "..:\napp\ndep\n\nnode_modules/.bin:\nevil\nfine\n../dep/x.sh\n../dep/x.sh\n",
    );
  });

  it("takes no path for a package's name", async () => {
    const machine = await npmMachine({
      ...app,
      "/home/user/dep/package.json": '{"name":"../../evil","version":"1.0.0"}',
      "/home/user/p/package.json":
        '{"dependencies":{"../x":"file:../dep","@a/../b":"*","ok":"file:../good"}}',
      "/home/user/good/package.json": '{"name":"ok","version":"1.0.0"}',
    });
    expect(await machine.sh("cd app; npm i ../dep; s=$?; ls; exit $s")).toEqual({
      stdout: "package.json\n",
      stderr: 'npm error code EINVALIDPACKAGENAME\nnpm error Invalid package name "../../evil"\n',
      status: 1,
    });
    expect((await machine.sh("cd p; npm i -s; ls node_modules; ls /home/user")).stdout).toBe(
      "ok\napp\ndep\ngood\np\n",
    );
  });

  it("ends with an error for what is no tarball, no JSON, or too deep", async () => {
    const machine = await npmMachine({
      ...app,
      "/home/user/x.tgz": "not a tarball",
      "/home/user/deep/package.json": `{"name":"deep","config":${"[".repeat(200_000)}${"]".repeat(200_000)}}`,
    });
    const bad = await machine.sh("cd app; npm i ../x.tgz; s=$?; ls -A; exit $s");
    expect(bad.status).toBe(1);
    expect(bad.stderr).toContain("npm error code TAR_BAD_ARCHIVE\n");
    expect(bad.stdout).toBe("package.json\n");
    const deep = await machine.sh("cd deep; npm pkg set a=1; npm run x");
    expect(deep.status).toBe(1);
    expect(deep.stderr).toMatch(/^npm error /);
    expect(machine.logged).toEqual([]);
  });

  it("does not follow circles for ever", async () => {
    const machine = await npmMachine({
      "/home/user/a/package.json":
        '{"name":"a","version":"1.0.0","dependencies":{"b":"file:../b"}}',
      "/home/user/b/package.json":
        '{"name":"b","version":"1.0.0","dependencies":{"a":"file:../a"}}',
    });
    const script = "cd b; npm i -s; cd ../a; npm i -s; npm ls --all; npm explain b > /dev/null";
    const { stdout, status } = await machine.sh(script);
    expect(status).toBe(0);
    expect(stdout.split("\n").length).toBeLessThan(10);
  });

  it("leaves the prototype of objects alone", async () => {
    const machine = await npmMachine({
      "/home/user/p/package.json":
        '{"name":"p","scripts":{"__proto__":"echo proto","constructor":"echo made"},"dependencies":{"__proto__":"*"},"bin":{"__proto__":"x"}}',
    });
    const script =
      "cd p; npm run -s constructor; npm run -s toString; npm run -s __proto__; npm ls; npm pkg get scripts";
    const { stdout } = await machine.sh(script);
    expect(stdout).toContain("made\n");
    expect(stdout).toContain("proto\n");
    expect(stdout).toContain('"constructor": "echo made"');
    expect(machine.logged).toEqual([]);
  });
});

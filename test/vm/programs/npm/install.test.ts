import { describe, expect, it } from "vitest";
import { clean, npmMachine, untimed } from "./npm-machine.ts";

/** Folders, and tarballs of them as `npm pack` makes them. */
const files = {
  "/home/user/lib1/package.json": '{"name":"lib1","version":"1.0.0","license":"MIT"}',
  "/home/user/lib1/index.js": "module.exports = 1;\n",
  "/home/user/cli/package.json":
    '{"name":"@sc/cli","version":"2.1.0","bin":"./cli.sh","dependencies":{"lib1":"^1.0.0"},"engines":{"node":">=10"}}',
  "/home/user/cli/cli.sh": "#!/bin/sh\necho cli $*\n",
  "/home/user/app/package.json": '{\n  "name": "app",\n  "version": "0.0.1"\n}\n',
};

const packAll = "for one in lib1 cli; do npm pack -s ./$one; done; cd app;";

/** The checksum of a file as lock files have it. */
const integrity = "$(sha512sum ../sc-cli-2.1.0.tgz | cut -d' ' -f1 | xxd -r -p | base64 -w0)";

// What is expected here is what npm 11.19.1 wrote and printed for the same words (times aside).
describe("npm install", () => {
  it("links a folder", async () => {
    const machine = await npmMachine(files);
    const script =
      "cd app; npm install ../lib1; cat package.json package-lock.json; readlink node_modules/lib1; tail -n +6 package-lock.json | diff - node_modules/.package-lock.json | grep -c '^>'";
    const packages =
      '    "../lib1": {\n      "version": "1.0.0",\n      "license": "MIT"\n    },\n    "node_modules/lib1": {\n      "resolved": "../lib1",\n      "link": true\n    }\n  }\n}\n';
    expect(untimed(await machine.sh(script))).toEqual({
      stdout: `\nadded 1 package in TIME\n{\n  "name": "app",\n  "version": "0.0.1",\n  "dependencies": {\n    "lib1": "file:../lib1"\n  }\n}\n{\n  "name": "app",\n  "version": "0.0.1",\n  "lockfileVersion": 3,\n  "requires": true,\n  "packages": {\n    "": {\n      "name": "app",\n      "version": "0.0.1",\n      "dependencies": {\n        "lib1": "file:../lib1"\n      }\n    },\n${packages}../../lib1\n5\n`,
      ...clean,
    });
  });

  it("extracts a tarball, with its checksum in the lock file and its commands linked", async () => {
    const machine = await npmMachine(files);
    const script = `${packAll} npm i -s ../lib1 ../sc-cli-2.1.0.tgz; readlink node_modules/.bin/cli; node_modules/.bin/cli hi; grep -c "$(printf '"integrity": "sha512-%s"' ${integrity})" package-lock.json; grep -A16 '@sc/cli": {' package-lock.json | grep -v integrity; ls -A node_modules`;
    expect(await machine.sh(script)).toEqual({
      stdout:
        'lib1-1.0.0.tgz\nsc-cli-2.1.0.tgz\n../@sc/cli/cli.sh\ncli hi\n1\n    "node_modules/@sc/cli": {\n      "version": "2.1.0",\n      "resolved": "file:../sc-cli-2.1.0.tgz",\n      "dependencies": {\n        "lib1": "^1.0.0"\n      },\n      "bin": {\n        "cli": "cli.sh"\n      },\n      "engines": {\n        "node": ">=10"\n      }\n    },\n    "node_modules/lib1": {\n      "resolved": "../lib1",\n      "link": true\n.bin\n.package-lock.json\n@sc\nlib1\n',
      ...clean,
    });
  });

  it("installs from the lock file what is local, again and again", async () => {
    const machine = await npmMachine(files);
    const script = `${packAll} npm i -s ../lib1 ../sc-cli-2.1.0.tgz; cp package-lock.json before; npm i; rm -r node_modules; npm i; rm -r node_modules; npm ci; npm ci; cmp before package-lock.json && node_modules/.bin/cli`;
    expect(untimed(await machine.sh(script))).toEqual({
      stdout:
        "lib1-1.0.0.tgz\nsc-cli-2.1.0.tgz\n\nup to date in TIME\n\nadded 2 packages in TIME\n\nadded 2 packages in TIME\n\nup to date in TIME\ncli\n",
      ...clean,
    });
  });

  it("saves where it is asked to, and moves what stood elsewhere", async () => {
    const machine = await npmMachine(files);
    const script =
      "cd app; npm i -s -D ../lib1; npm pkg get devDependencies; grep -c dev.: package-lock.json; npm i -s -P ../lib1; npm pkg get dependencies devDependencies; npm i -s --no-save ../cli; npm pkg get dependencies.@sc/cli; npm rm -s lib1; npm pkg get dependencies; ls node_modules";
    expect(await machine.sh(script)).toEqual({
      stdout:
        '{\n  "lib1": "file:../lib1"\n}\n1\n{\n  "dependencies": {\n    "lib1": "file:../lib1"\n  }\n}\n{}\n{}\n',
      ...clean,
    });
  });

  it("installs globally, with commands on the PATH", async () => {
    const machine = await npmMachine(files);
    const script =
      "npm pack -s ./cli; npm i -g ./lib1 ./sc-cli-2.1.0.tgz; cli x; npm ls -g; npm rm -g @sc/cli; ls /usr/local/bin /usr/local/lib/node_modules";
    expect(untimed(await machine.sh(script))).toEqual({
      stdout:
        "sc-cli-2.1.0.tgz\n\nadded 2 packages in TIME\ncli x\n/usr/local/lib\n├── @sc/cli@2.1.0\n└── lib1@1.0.0 -> ./../../../home/user/lib1\n\n\nremoved 1 package in TIME\n/usr/local/bin:\nagentos\n\n/usr/local/lib/node_modules:\nlib1\n",
      ...clean,
    });
  });

  it("takes packages from mounted software, linked and not copied", async () => {
    const machine = await npmMachine({
      ...files,
      "/node_modules/soft/package.json":
        '{"name":"soft","version":"4.17.21","license":"MIT","bin":{"softcmd":"cli.sh"},"dependencies":{"inner":"1"}}',
      "/node_modules/soft/cli.sh": "#!/bin/sh\necho soft $*\n",
      "/opt/software/more/node_modules/soft/package.json": '{"name":"soft","version":"5.0.0"}',
    });
    const script =
      "cd app; npm i soft@4; npm pkg get dependencies; readlink node_modules/soft; node_modules/.bin/softcmd a; npm ci; npm i -s soft; npm pkg get dependencies; grep -A4 node_modules/soft package-lock.json";
    expect(untimed(await machine.sh(script))).toEqual({
      stdout:
        '\nadded 1 package in TIME\n{\n  "soft": "^4.17.21"\n}\n../../../../node_modules/soft\nsoft a\n\nup to date in TIME\n{\n  "soft": "^5.0.0"\n}\n    "node_modules/soft": {\n      "version": "5.0.0"\n    }\n  }\n}\n',
      ...clean,
    });
  });

  it("says that there is no network, and changes nothing", async () => {
    const machine = await npmMachine(files);
    const refusal = (what: string): string =>
      [
        "code ENONETWORK",
        "This VM has no network yet, so nothing can be fetched from a registry, a URL or git:",
        `  ${what}`,
        "",
        "To use a package in this VM:",
        "  - have the host mount a folder that holds it (the VM's option `software`): npm takes packages",
        "    from /node_modules, /opt/software, /usr/lib/node_modules and /usr/local/lib/node_modules",
        "  - or put its tarball or folder into the VM and install that: npm install ./package.tgz",
      ]
        .map((line) => `npm error ${line}`.trimEnd())
        .join("\n");
    for (const [word, shown] of [
      ["lodash", "lodash@latest"],
      ["lodash@^4", "lodash@^4"],
      ["user/repo", "user/repo"],
      ["https://x.example/y.tgz", "https://x.example/y.tgz"],
      ["x@npm:y@1", "x@npm:y@1"],
    ] as const)
      expect(await machine.sh(`cd app; npm i ${word}; s=$?; ls -A; exit $s`)).toEqual({
        stdout: "package.json\n",
        stderr: `${refusal(shown)}\n`,
        status: 1,
      });
    expect((await machine.sh("cd app; npm view lodash")).stderr).toBe(
      `${refusal("npm view lodash")}\n`,
    );
  });

  it("runs no scripts unless asked to, and says so", async () => {
    const scripts = '"scripts":{"postinstall":"echo installed in $PWD"}';
    const machine = await npmMachine({
      "/home/user/dep/package.json": `{"name":"dep","version":"1.0.0",${scripts}}`,
      "/home/user/app/package.json": '{"name":"app","scripts":{"prepare":"echo prepared"}}',
    });
    expect(untimed(await machine.sh("cd app; npm i ../dep"))).toEqual({
      stdout: "\nadded 1 package in TIME\n",
      stderr:
        "npm warn install-scripts 1 package has install scripts, which were not run:\nnpm warn install-scripts   dep@1.0.0 (postinstall: echo installed in $PWD)\nnpm warn install-scripts\nnpm warn install-scripts Run `npm install --ignore-scripts=false` to run them.\n",
      status: 0,
    });
    expect((await machine.sh("cd app; npm i")).stderr).toBe(
      "npm warn install-scripts The project's own scripts were not run: prepare\nnpm warn install-scripts\nnpm warn install-scripts Run `npm install --ignore-scripts=false` to run them.\n",
    );
    expect(
      untimed(await machine.sh("cd app; rm -r node_modules; npm i --ignore-scripts=false")),
    ).toEqual({
      stdout:
        "\nadded 1 package in TIME\n\n> dep@1.0.0 postinstall\n> echo installed in $PWD\n\ninstalled in /home/user/dep\n\n> prepare\n> echo prepared\n\nprepared\n",
      ...clean,
    });
  });

  it("holds a tarball to the lock file's checksum", async () => {
    const machine = await npmMachine(files);
    const script = `${packAll} npm i -s ../lib1-1.0.0.tgz; rm -r node_modules; echo changed >> ../lib1/index.js; (cd ..; npm pack -s ./lib1); npm i`;
    const { stderr, status } = await machine.sh(script);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^npm error code EINTEGRITY\nnpm error sha512-\S+ integrity checksum failed when using sha512: wanted sha512-\S+ but got sha512-\S+\.\n$/,
    );
    expect(
      (await machine.sh("cd app; npm i -s ../lib1-1.0.0.tgz; tail -1 node_modules/lib1/index.js"))
        .stdout,
    ).toBe("changed\n");
  });

  it("refuses ci without a lock file, or with one that is out of step", async () => {
    const machine = await npmMachine(files);
    expect((await machine.sh("cd app; npm ci")).stderr).toMatch(
      /^npm error code EUSAGE\nnpm error\nnpm error The `npm ci` command can only install with an existing package-lock.json or\n/,
    );
    const script = "cd app; npm i -s ../lib1; npm pkg set dependencies.other=1; npm ci";
    expect((await machine.sh(script)).stderr).toContain(
      "npm error Missing: other@1 from lock file\n",
    );
  });

  it("links workspaces", async () => {
    const machine = await npmMachine({
      "/home/user/w/package.json": '{"name":"w","version":"1.0.0","workspaces":["p/*"]}',
      "/home/user/w/p/a/package.json":
        '{"name":"a","version":"1.0.0","dependencies":{"b":"^1.0.0"},"bin":{"abin":"x.sh"}}',
      "/home/user/w/p/a/x.sh": "#!/bin/sh\n",
      "/home/user/w/p/b/package.json": '{"name":"b","version":"1.0.0"}',
    });
    expect(
      untimed(await machine.sh("cd w; npm i; readlink node_modules/* node_modules/.bin/*; npm ls")),
    ).toEqual({
      stdout:
        "\nadded 2 packages in TIME\n../p/a\n../p/b\n../a/x.sh\nw@1.0.0 /home/user/w\n├─┬ a@1.0.0 -> ./p/a\n│ └── b@1.0.0 deduped -> ./p/b\n└── b@1.0.0 -> ./p/b\n\n",
      ...clean,
    });
  });
});

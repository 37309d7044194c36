import { describe, expect, it } from "vitest";
import { clean, npmMachine } from "./npm-machine.ts";

const files = {
  "/home/user/p/package.json":
    '{"name":"p","version":"0.0.1","dependencies":{"lib":"^2.0.0","mid":"1","zz":"*"},"optionalDependencies":{"oo":"1"},"peerDependencies":{"pp":"^1"}}',
  "/home/user/p/node_modules/lib/package.json": '{"name":"lib","version":"1.0.0"}',
  "/home/user/p/node_modules/mid/package.json":
    '{"name":"mid","version":"1.2.0","dependencies":{"leaf":"^3"}}',
  "/home/user/p/node_modules/leaf/package.json":
    '{"name":"leaf","version":"3.0.1","dependencies":{"mid":"*"}}',
  "/home/user/p/node_modules/ext/package.json": '{"name":"ext","version":"3.0.0"}',
};

const problems = [
  "extraneous: ext@3.0.0 /home/user/p/node_modules/ext",
  "invalid: lib@1.0.0 /home/user/p/node_modules/lib",
  "missing: pp@^1, required by p@0.0.1",
  "missing: zz@*, required by p@0.0.1",
];
const stderr = ["code ELSPROBLEMS", ...problems].map((line) => `npm error ${line}\n`).join("");

// As npm 11.19.1 shows the same folders.
describe("npm ls", () => {
  it("shows what is there, missing, wrong and extraneous", async () => {
    const machine = await npmMachine(files);
    expect(await machine.sh("cd p; npm ls")).toEqual({
      stdout:
        'p@0.0.1 /home/user/p\n├── ext@3.0.0 extraneous\n├── lib@1.0.0 invalid: "^2.0.0" from the root project\n├── mid@1.2.0\n├── UNMET OPTIONAL DEPENDENCY oo@1\n├── UNMET DEPENDENCY pp@^1\n└── UNMET DEPENDENCY zz@*\n\n',
      stderr,
      status: 1,
    });
  });

  it("shows the whole tree, and circles once", async () => {
    const machine = await npmMachine(files);
    expect((await machine.sh("cd p; npm ls --all --no-unicode")).stdout).toContain(
      "+-+ mid@1.2.0\n| `-+ leaf@3.0.1\n|   `-- mid@1.2.0 deduped\n",
    );
    expect(await machine.sh("cd p; npm ls leaf")).toEqual({
      stdout: "p@0.0.1 /home/user/p\n└─┬ mid@1.2.0\n  └── leaf@3.0.1\n\n",
      ...clean,
    });
    expect(await machine.sh("cd p; npm ls nothing")).toEqual({
      stdout: "p@0.0.1 /home/user/p\n└── (empty)\n\n",
      stderr: "",
      status: 1,
    });
  });

  it("answers in JSON and in paths", async () => {
    const machine = await npmMachine(files);
    const { stdout } = await machine.sh("cd p; npm ls --json");
    expect(JSON.parse(stdout)).toEqual({
      version: "0.0.1",
      name: "p",
      problems,
      dependencies: {
        ext: { version: "3.0.0", overridden: false, extraneous: true, problems: [problems[0]] },
        lib: {
          version: "1.0.0",
          overridden: false,
          invalid: '"^2.0.0" from the root project',
          problems: [problems[1]],
        },
        mid: { version: "1.2.0", overridden: false },
        oo: {},
        pp: { missing: true, problems: [problems[2]] },
        zz: { missing: true, problems: [problems[3]] },
      },
    });
    expect((await machine.sh("cd p; npm ls -p")).stdout).toBe(
      "/home/user/p\n/home/user/p/node_modules/ext\n/home/user/p/node_modules/lib\n/home/user/p/node_modules/mid\n",
    );
  });

  it("explains who needs a package, and prunes what nobody does", async () => {
    const machine = await npmMachine(files);
    expect((await machine.sh("cd p; npm explain leaf")).stdout).toBe(
      'leaf@3.0.1\nnode_modules/leaf\n  leaf@"^3" from mid@1.2.0\n  node_modules/mid\n    mid@"1" from the root project\n    mid@"*" from leaf@3.0.1\n',
    );
    expect((await machine.sh("cd p; npm prune >/dev/null; ls node_modules")).stdout).toBe(
      "leaf\nlib\nmid\n",
    );
  });
});

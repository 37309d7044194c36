import { describe, expect, it } from "vitest";
import { clean, npmMachine } from "./npm-machine.ts";

const manifest = JSON.stringify({
  name: "demo",
  version: "1.2.3",
  config: { port: "8080", list: ["a", "b"] },
  bin: { demo: "./cli.js" },
  scripts: {
    prebuild: "echo pre",
    build: "echo building",
    postbuild: "echo post",
    test: "exit 3",
    multi: "echo a &&\necho b",
    killed: "kill -TERM $$",
    show: "echo $npm_lifecycle_event $npm_package_name@$npm_package_version $npm_package_config_port",
    place:
      "pwd; echo $INIT_CWD; echo $PATH; echo $npm_execpath $npm_node_execpath $npm_package_json",
    more: "echo $npm_package_config_list_1 $npm_package_bin_demo $npm_config_foo $npm_command $npm_lifecycle_script",
  },
});

const files = { "/home/user/p/package.json": manifest };

// What is expected here was printed by npm 11.19.1, without the line about its log file.
describe("npm run", () => {
  it("runs a script between its pre and post, with the words behind --", async () => {
    const machine = await npmMachine(files);
    expect(await machine.sh("cd p; npm run build -- x 'y z'")).toEqual({
      stdout:
        "\n> demo@1.2.3 prebuild\n> echo pre\n\npre\n\n> demo@1.2.3 build\n> echo building x y z\n\nbuilding x y z\n\n> demo@1.2.3 postbuild\n> echo post\n\npost\n",
      ...clean,
    });
    expect(await machine.sh("cd p; npm run -s build --ignore-scripts '$HOME' \"it's\"")).toEqual({
      stdout: "building $HOME it's\n",
      ...clean,
    });
  });

  it("lists scripts", async () => {
    const machine = await npmMachine(files);
    const { stdout } = await machine.sh("cd p; npm run | head -7; npm run --json | head -2");
    expect(stdout).toBe(
      'Lifecycle scripts included in demo@1.2.3:\n  test\n    exit 3\navailable via `npm run`:\n  prebuild\n    echo pre\n  build\n{\n  "prebuild": "echo pre",\n',
    );
  });

  it("ends as the script does", async () => {
    const machine = await npmMachine(files);
    expect(await machine.sh("cd p; npm test")).toEqual({
      stdout: "\n> demo@1.2.3 test\n> exit 3\n\n",
      stderr: "",
      status: 3,
    });
    expect((await machine.sh("cd p; npm run -s killed; echo $?")).stdout).toBe("143\n");
  });

  it("shows a script of several lines", async () => {
    const machine = await npmMachine(files);
    expect(await machine.sh("cd p; npm run multi")).toEqual({
      stdout: "\n> demo@1.2.3 multi\n> echo a &&\n> echo b\n\na\nb\n",
      ...clean,
    });
  });

  it("gives scripts npm's environment, wherever it is called", async () => {
    const machine = await npmMachine(files);
    const script = "mkdir -p p/sub; cd p/sub; npm run -s show; npm run -s place";
    expect(await machine.sh(script)).toEqual({
      stdout: [
        "show demo@1.2.3 8080",
        "/home/user/p",
        "/home/user/p/sub",
        "/home/user/p/node_modules/.bin:/home/user/node_modules/.bin:/home/node_modules/.bin:/usr/local/bin:/usr/bin:/bin:/node_modules/.bin",
        "/usr/bin/npm /usr/bin/node /home/user/p/package.json",
        "",
      ].join("\n"),
      ...clean,
    });
    expect((await machine.sh("cd p; npm run -s more --foo=7")).stdout).toBe(
      "b cli.js 7 run echo $npm_package_config_list_1 $npm_package_bin_demo $npm_config_foo $npm_command $npm_lifecycle_script\n",
    );
  });

  it("says which script is missing, and what is like it", async () => {
    const machine = await npmMachine(files);
    expect(await machine.sh("cd p; npm run biuld")).toEqual({
      stdout: "",
      stderr:
        'npm error Missing script: "biuld"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run\n',
      status: 1,
    });
    expect((await machine.sh("cd p; npm run buil")).stderr).toBe(
      'npm error Missing script: "buil"\nnpm error\nnpm error Did you mean this?\nnpm error   npm run build # run the "build" package script\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run\n',
    );
    expect((await machine.sh("cd p; npm start")).stderr).toBe(
      'npm error Missing script: "start"\nnpm error\nnpm error Did you mean one of these?\nnpm error   npm star # Mark your favorite packages\nnpm error   npm stars # View packages marked as favorites\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run\n',
    );
    expect(await machine.sh("cd p; npm run nope --if-present")).toEqual({ stdout: "", ...clean });
  });

  it("stops and starts for restart", async () => {
    const machine = await npmMachine({
      "/home/user/p/package.json": '{"scripts":{"start":"echo up","stop":"echo down"}}',
    });
    expect((await machine.sh("cd p; npm restart -s")).stdout).toBe("down\nup\n");
  });

  it("says what is wrong with package.json", async () => {
    const machine = await npmMachine({ "/home/user/bad/package.json": '{"a":1,}\n' });
    expect(await machine.sh("cd bad; npm test")).toEqual({
      stdout: "",
      stderr:
        'npm error code EJSONPARSE\nnpm error JSON.parse Invalid package.json: JSONParseError: Expected double-quoted property name in JSON at position 7 while parsing "{\\"a\\":1,}\\n"\nnpm error JSON.parse Failed to parse JSON data.\nnpm error JSON.parse Note: package.json must be actual JSON, not just JavaScript.\n',
      status: 1,
    });
    expect(await machine.sh("cd /; npm test")).toEqual({
      stdout: "",
      stderr:
        "npm error code ENOENT\nnpm error syscall open\nnpm error path /package.json\nnpm error errno -2\nnpm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/package.json'\nnpm error enoent This is related to npm not being able to find a file.\nnpm error enoent\n",
      status: 254,
    });
  });

  it("knows commands by other words, and says which it does not know", async () => {
    const machine = await npmMachine(files);
    expect(await machine.sh("cd p; npm tset")).toEqual({
      stdout:
        'Unknown command: "tset"\n\n\nDid you mean this?\n  npm set # Set a value in the npm configuration\nTo see a list of supported npm commands, run:\n  npm help\n',
      stderr: "",
      status: 1,
    });
    expect(
      (await machine.sh("cd p; npm t -s; npm run-script -s show; npm urn -s show")).stdout,
    ).toBe("show demo@1.2.3 8080\nshow demo@1.2.3 8080\n");
  });

  it("hands a signal on to the script, and ends as it does", async () => {
    const machine = await npmMachine({
      "/home/user/p/package.json": `{"scripts":{"wait":"trap 'exit 5' TERM; echo > ready; while :; do sleep 0.01; done"}}`,
    });
    const script =
      "cd p; mkfifo ready; npm run -s wait & read line < ready; kill -TERM $!; wait $!; echo $?";
    expect((await machine.sh(script)).stdout).toBe("5\n");
  });
});

describe("npm run in workspaces", () => {
  const workspace = {
    "/home/user/w/package.json":
      '{"name":"root","version":"1.0.0","workspaces":["packages/*"],"scripts":{"hi":"echo root"}}',
    "/home/user/w/packages/a/package.json":
      '{"name":"a","version":"1.0.0","scripts":{"hi":"echo a","bad":"exit 2"}}',
    "/home/user/w/packages/b/package.json":
      '{"name":"b","version":"1.0.0","scripts":{"bad":"exit 3"}}',
  };

  it("runs in those that are named, or in all", async () => {
    const machine = await npmMachine(workspace);
    const script =
      "cd w; npm run -s -w a hi; npm run -s -w packages/a hi; npm run -s --workspaces --if-present hi";
    expect(await machine.sh(script)).toEqual({ stdout: "a\na\na\n", ...clean });
    expect((await machine.sh("cd w/packages/a; npm run -s hi; npm prefix")).stdout).toBe(
      "a\n/home/user/w\n",
    );
    expect(
      (await machine.sh("cd w; npm run -s hi --workspaces --include-workspace-root --if-present"))
        .stdout,
    ).toBe("root\na\n");
  });

  it("goes on behind one that fails", async () => {
    const machine = await npmMachine(workspace);
    expect(await machine.sh("cd w; npm run --workspaces bad")).toEqual({
      stdout: "\n> a@1.0.0 bad\n> exit 2\n\n\n> b@1.0.0 bad\n> exit 3\n\n",
      stderr:
        "npm error Lifecycle script `bad` failed with error:\nnpm error code 2\nnpm error path /home/user/w/packages/a\nnpm error workspace a@1.0.0\nnpm error location /home/user/w/packages/a\nnpm error command failed\nnpm error command sh -c exit 2\n\nnpm error Lifecycle script `bad` failed with error:\nnpm error code 3\nnpm error path /home/user/w/packages/b\nnpm error workspace b@1.0.0\nnpm error location /home/user/w/packages/b\nnpm error command failed\nnpm error command sh -c exit 3\n",
      status: 3,
    });
    expect(await machine.sh("cd w; npm run -w nope hi")).toEqual({
      stdout: "",
      stderr: "npm error No workspaces found:\nnpm error   --workspace=nope\n",
      status: 1,
    });
  });
});

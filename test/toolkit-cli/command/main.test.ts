import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vm, Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";
import { issues, projectToolkit } from "./project-toolkit.ts";

let vms: Vms;
let vm: Vm;
const aborts = new EventTarget();

beforeAll(async () => {
  vms = new built.Vms({ poolSize: 1 });
  const toolkit = projectToolkit((name) => aborts.dispatchEvent(new Event(name)));
  vm = await vms.create({ toolkits: [toolkit] });
});

afterAll(async () => {
  await vms.close();
});

async function run(command: string, stdin?: string) {
  const { stdout, stderr, exitCode } = await vm.exec(command, stdin === undefined ? {} : { stdin });
  return { stdout, stderr, exitCode };
}

const said = (stdout: string) => ({ stdout, stderr: "", exitCode: 0 });
const refused = (exitCode: number, stderr: string) => ({ stdout: "", stderr, exitCode });

describe("results", () => {
  it("are the result itself: text with a line end, data as one JSON document", async () => {
    expect(await run("agentos-project text --size 3")).toEqual(said("ééé\n"));
    expect(await run("agentos-project bare")).toEqual(said('"data"\n'));
    expect(await run("agentos-project empty")).toEqual(said("[]\n"));
    expect(await run("agentos-project list-issues --limit 2 | jq -c '[.[].id]'")).toEqual(
      said("[1,3]\n"),
    );
    expect(await run("agentos-project find x --fields id")).toEqual(
      said('{"total":2,"next":null,"query":"x","items":[\n{"id":1},\n{"id":2}\n]}\n'),
    );
  });

  it("come in the form that is asked for", async () => {
    expect(await run("agentos-project bare --output text")).toEqual(said("data\n"));
    expect(await run("agentos-project text --size 1 --output json")).toEqual(said('"é"\n'));
    expect(await run("agentos-project text --size 1 --output raw")).toEqual(said("é"));
    expect(await run("agentos-project json-text --output json --fields a.b")).toEqual(
      said('{"a":{"b":1}}\n'),
    );
    expect(await run("agentos-project bytes --output json")).toEqual(
      said('{"base64":"AP8QDQ==","mimeType":"image/png"}\n'),
    );
    expect(await run("agentos-project bytes | od -An -tx1")).toEqual(said(" 00 ff 10 0d\n"));
    expect(await run("agentos-project list-issues --limit 2 --fields id --output text")).toEqual(
      said('{"id":1}\n{"id":3}\n'),
    );
  });

  it("of commands side by side are lines of their own", async () => {
    const command = "for i in 1 2 3 4; do agentos-project text --size 3 & done; wait";
    expect(await run(command)).toEqual(said("ééé\n".repeat(4)));
  });

  it("say so where there is none", async () => {
    expect(await run("agentos-project nothing")).toEqual({
      ...said(""),
      stderr: "agentos-project nothing: done; it has no result\n",
    });
    expect(await run("agentos-project nothing | cat")).toEqual(said(""));
    expect(await run("agentos-project text --size 0")).toEqual({
      ...said(""),
      stderr: "agentos-project text: done; the result is an empty text\n",
    });
  });

  it("stream", async () => {
    const first = `{"piece":0,"pad":"${"p".repeat(80)}"}\n`;
    expect(await run("agentos-project stream --size 3 | head -n 1")).toEqual(said(first));
    expect(await run("agentos-project stream --size 2000 | wc -l")).toEqual(said("2000\n"));
    expect(await run("agentos-project lines")).toEqual(said("one line\n"));
    expect(await run("agentos-project half")).toEqual({
      stdout: "so far\n",
      stderr: "agentos-project half: no further\n",
      exitCode: 1,
    });
  });

  it("tell of fields that are not there", async () => {
    expect(await run("agentos-project list-issues --limit 1 --fields id,user.name,nope")).toEqual({
      ...said('[{"id":1,"user":{"name":"ada"}}]\n'),
      stderr:
        "agentos-project list-issues: no field nope in the result; there are: id, title, state, user, body\n",
    });
    expect((await run("agentos-project text --size 1 --fields a")).stderr).toBe(
      "agentos-project text: --fields has no effect: the result is no data\n",
    );
  });
});

describe("results that are too long", () => {
  it("go into a file when somebody reads, the beginning shown", async () => {
    const { stdout, stderr, exitCode } = await run("agentos-project list-issues --state all");
    expect(exitCode).toBe(0);
    expect(stdout.length).toBeLessThanOrEqual(2048);
    expect(stdout).toMatch(/^\[\n\{"id":1,.*\},\n$/s);
    const path = /all of it is in (\S+)/.exec(stderr)?.[1] ?? "";
    expect(stderr).toMatch(
      /^agentos-project list-issues: 11\d\.\d KiB \(500 items\): the first 1\.\d KiB are above, all of it is in \/home\/user\/\.agentos\/results\/\d{8}T\d{6}-\d+-project-list-issues\.json \(jq, grep, head; or --fields a,b\.c; or --full\)\n$/,
    );
    expect((await run(`jq -c 'map(.id)' ${path}`)).stdout).toBe(
      `${JSON.stringify(issues.map(({ id }) => id))}\n`,
    );
    expect((await run(`stat -c %a ${path}`)).stdout).toBe("600\n");
  });

  it("are whole with --full, in a pipe and in a file", async () => {
    const whole = (await run("agentos-project list-issues --state all --full")).stdout;
    expect(JSON.parse(whole)).toEqual(issues);
    expect((await run("agentos-project list-issues --state all | cat")).stdout).toBe(whole);
    expect(await run("agentos-project list-issues --state all >all.json; wc -c <all.json")).toEqual(
      said(`${Buffer.byteLength(whole)}\n`),
    );
    expect((await run("echo $(agentos-project list-issues --state all) | jq length")).stdout).toBe(
      "500\n",
    );
  });

  it("show whole characters of a long line, and what streamed so far", async () => {
    const text = await run("agentos-project text --size 100000");
    expect(text.stdout).toBe(`${"é".repeat(1024)}\n`);
    const stream = await run("agentos-project stream --size 1000");
    expect(stream.stdout.length).toBeLessThanOrEqual(32 * 1024);
    expect(stream.stdout.split("\n").at(-1)).toBe("");
    const path = /all of it is in (\S+)/.exec(stream.stderr)?.[1] ?? "";
    expect((await run(`jq -s 'map(.piece) == [range(1000)]' ${path}`)).stdout).toBe("true\n");
  });

  it("keep bytes off the screen", async () => {
    const { stdout, stderr } = await run("agentos-project bytes");
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /^agentos-project bytes: 4 bytes: all of it is in \S+-project-bytes\.png\n$/,
    );
    const path = /all of it is in (\S+)/.exec(stderr)?.[1] ?? "";
    expect((await run(`od -An -tx1 ${path}`)).stdout).toBe(" 00 ff 10 0d\n");
  });

  it("are shown where no file can be made", async () => {
    const { stdout, stderr } = await run("HOME=/proc agentos-project list-issues --state all");
    expect(JSON.parse(stdout)).toEqual(issues);
    expect(stderr).toMatch(
      /^agentos-project list-issues: the result cannot be kept in a file \(.*\): here it is\n$/,
    );
  });

  it("keep 50 files", async () => {
    const count = await run(
      "export HOME=/tmp/h; mkdir /tmp/h; for i in $(seq 53); do agentos-project bytes 2>/dev/null; done; ls ~/.agentos/results | wc -l",
    );
    expect(count.stdout).toBe("50\n");
  });
});

describe("failures", () => {
  it("have a status each, and no control characters", async () => {
    const { exitCode, stderr } = await run("agentos-project denied");
    expect([exitCode, stderr]).toEqual([77, "agentos-project denied: it is denied [31m\n"]);
    expect((await run("agentos-project unavailable")).exitCode).toBe(69);
    expect((await run("agentos-project failed")).exitCode).toBe(1);
    expect((await run("agentos-project too-slow")).exitCode).toBe(124);
  });

  it("are JSON where JSON is asked for", async () => {
    const { stderr, exitCode } = await run("agentos-project create-issue --output json");
    expect(exitCode).toBe(2);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: "usage",
        message: "missing: --title <string>, --body <string>",
        hint: "Try 'agentos-project create-issue --help'.",
      },
    });
  });

  it("of a command line say what to do", async () => {
    const hint = "Try 'agentos-project create-issue --help'.\n";
    expect(await run("agentos-project create-issue --titel x --meta.priority y")).toEqual(
      refused(
        2,
        `agentos-project create-issue: 2 things are wrong\n  there is no flag --titel; did you mean --title?\n  --meta.priority needs an integer, not "y"\n${hint}`,
      ),
    );
    expect(await run("agentos-project create-issue --title a --body b --meta.priority 0")).toEqual(
      refused(2, `agentos-project create-issue: --meta.priority must be at least 1\n${hint}`),
    );
    expect(await run("agentos-project lst-issues")).toEqual(
      refused(
        2,
        "agentos-project: project has no tool \"lst-issues\". Did you mean list-issues?\n'agentos list project' lists its 18 tools; 'agentos search <words>' finds one.\n",
      ),
    );
    expect(await run("agentos-project --state open list-issues")).toEqual(
      refused(
        2,
        "agentos-project: a tool comes before its flags, not --state\n'agentos-project --help' lists the tools.\n",
      ),
    );
    expect((await run("agentos-project list-issues --output xml")).stderr).toMatch(
      /must be one of json, text, raw/,
    );
    expect((await run("agentos-project create-issue --json '[1]'")).stderr).toMatch(
      /--json must be a JSON object/,
    );
    expect((await run("agentos-project create-issue --json '{'")).stderr).toMatch(
      /--json is not valid JSON/,
    );
  });

  it("of a toolkit that is not there", async () => {
    const { exitCode, stderr } = await run("agentos call nope x");
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/nope/);
  });

  it("do not come of being stopped for a while", async () => {
    const { stdout, exitCode } = await run(
      "agentos-project half-second & sleep 0.1; kill -STOP $!; sleep 0.1; kill -CONT $!; wait $!",
    );
    expect({ stdout, exitCode }).toEqual({ stdout: "half a second\n", exitCode: 0 });
  });

  it("of a reader that leaves are silent", async () => {
    expect(
      (await run("trap '' PIPE; agentos-project stream --size 20000 | head -n 0")).stderr,
    ).toBe("");
    expect(await run("agentos-project stream --size 20000 | head -n 1 | wc -l")).toEqual(
      said("1\n"),
    );
  });

  it("of an output that is closed are failures", async () => {
    const { stderr, exitCode } = await run("agentos-project text --size 1 >&-");
    expect({ stderr, exitCode }).toEqual({
      stderr: "agentos-project: Bad file descriptor\n",
      exitCode: 1,
    });
  });

  it("of the process end the call at the host", async () => {
    const abort = new Promise((resolve) =>
      aborts.addEventListener("forever", resolve, { once: true }),
    );
    const { exitCode } = await run("timeout -s INT 0.2 agentos-project forever");
    expect(exitCode).toBe(124);
    await abort;
  });
});

describe("values", () => {
  it("come from files and from stdin", async () => {
    expect(
      await run(
        "printf 'long\\ntext' >b.txt; agentos-project create-issue --title - --body @b.txt --fields title,body",
        "hi",
      ),
    ).toEqual(said('{"title":"hi","body":"long\\ntext"}\n'));
    expect(
      (
        await run(
          "agentos-project create-issue --json-file - --body @@b --fields title,body",
          '{"title":"t","body":"u"}',
        )
      ).stdout,
    ).toBe('{"title":"t","body":"@b"}\n');
    expect(
      (
        await run(
          "printf '\\0\\377' >x; agentos-project create-issue --title t --body b --attachment @x --fields attachment",
        )
      ).stdout,
    ).toBe('{"attachment":"AP8="}\n');
  });

  it("that cannot be had are refused", async () => {
    const at = (flags: string) => run(`agentos-project create-issue --title t ${flags}`, "in");
    expect((await at("--body @nope")).stderr).toMatch(
      /--body: nope: No such file or directory \(@ reads a file; the text itself is written with @@\)/,
    );
    expect((await at("--body - --json -")).stderr).toMatch(
      /standard input is read by another value/,
    );
    expect((await at("--body @/usr")).stderr).toMatch(/\/usr: Is a directory/);
    expect((await at("--body @x")).stderr).toMatch(/x is not UTF-8 text/);
    expect((await at("--body @/dev/zero")).stderr).toMatch(
      /larger than a call may be \(16\.0 MiB\)/,
    );
  });
});

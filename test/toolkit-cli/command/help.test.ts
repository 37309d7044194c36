import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vm, Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";
import { projectToolkit } from "./project-toolkit.ts";

let vms: Vms;
let vm: Vm;

beforeAll(async () => {
  vms = new built.Vms({ poolSize: 1 });
  vm = await vms.create({ toolkits: [projectToolkit()] });
});

afterAll(async () => {
  await vms.close();
});

async function text(command: string): Promise<string> {
  const { stdout, stderr, exitCode } = await vm.exec(command);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return stdout;
}

describe("help", () => {
  it("of a tool has its flags, defaults and examples", async () => {
    const help = `Usage: agentos-project list-issues [flags]

List issues.
Newest last.

Flags:
  --state <open|closed|all>   Which ones. (default "open")
  --limit <integer>
  --dry-run                   (or --no-dry-run)

Also: --json '{…}' or --json-file FILE (flags go on top), --output json|text|raw,
--fields a,b.c, --full. Any value may be @FILE or - (stdin); @@x is the text @x.

Result: list of { id, title }

Examples:
  agentos-project list-issues --state open --limit 3  # three open ones
`;
    for (const command of [
      "agentos-project list-issues --help",
      "agentos-project list-issues --limit -h -h",
      "agentos-project help list-issues",
      "agentos describe project list_issues",
      "agentos call project listIssues --help",
    ]) {
      expect(await text(command)).toBe(help);
    }
  });

  it("of a tool shows what is required first", async () => {
    expect(await text("agentos-project create-issue --help")).toMatch(
      /^Usage: agentos-project create-issue --title <string> --body <string> \[flags\]\n/,
    );
    expect(await text("agentos-project find --help")).toMatch(
      /^Usage: agentos-project find <string>\n/,
    );
  });

  it("of a toolkit lists its tools", async () => {
    const help = await text("agentos-project");
    expect(await text("agentos-project --help")).toBe(help);
    expect(help).toMatch(
      /^Usage: agentos-project <tool> \[flags\]\nThe issue tracker of the project\.\n\n/,
    );
    expect(help).toMatch(/\ncreate-issue  Create an issue\.\n/);
    expect(help).toMatch(/\nlist-issues   List issues\.\n/);
  });

  it("of agentos lists the toolkits", async () => {
    expect(await text("agentos --help")).toMatch(
      /^Usage: agentos list [\s\S]*\n\nagentos-project {2}The issue tracker of the project\.\n$/,
    );
  });
});

describe("agentos", () => {
  it("lists", async () => {
    expect(await text("agentos list")).toBe("agentos-project  The issue tracker of the project.\n");
    expect(JSON.parse(await text("agentos list --output json"))).toEqual({
      toolkits: [{ name: "project", description: "The issue tracker of the project." }],
    });
    expect(await text("agentos list project | wc -l")).toBe("18\n");
    expect(JSON.parse(await text("agentos list project --output=json"))).toMatchObject({
      toolkit: "project",
      total: 18,
    });
  });

  it("searches", async () => {
    expect(await text("agentos search create an issue --limit 1")).toBe(
      "agentos-project create-issue --title <string> --body <string> [--meta.priority <integer>] [--attachment <@FILE|base64>]\n" +
        "  Create an issue.\n",
    );
    expect(await text("agentos search quantum")).toBe(
      "No tool matches \"quantum\". 'agentos list' lists the toolkits.\n",
    );
    const lines = (await text("agentos search issue --limit 5")).split("\n").slice(0, -1);
    const named = lines.filter((line) => line.startsWith("agentos-project "));
    expect(named.slice(3)).toEqual(lines.slice(-(named.length - 3)));
    const found = JSON.parse(await text("agentos search issue --output json"));
    expect(found.matches.length).toBeGreaterThan(1);
  });

  it("describes with schemas where JSON is asked for", async () => {
    expect(JSON.parse(await text("agentos describe project find --output json"))).toMatchObject({
      name: "find",
      input: { properties: { query: { type: "string" } } },
    });
  });

  it("calls", async () => {
    expect(await text("agentos call project text --size 1")).toBe("é\n");
  });

  it("refuses what it does not know", async () => {
    for (const [command, message] of [
      ["agentos serch x", 'agentos: there is no command "serch". Did you mean search?\n'],
      ["agentos search", "agentos: search needs words: agentos search <words>\n"],
      ["agentos search x --limit 0", "agentos: --limit must be a number from 1 to 100\n"],
      ["agentos list a b", "agentos: b is one word too many\n"],
      [
        "agentos list projct",
        'agentos: There is no toolkit "projct". "agentos list" shows those there are. Did you mean project?\n',
      ],
      ["agentos list --nope", "agentos: there is no flag --nope\n"],
      [
        "agentos describe",
        "agentos: describe needs a toolkit: agentos describe <toolkit> [<tool>]\n",
      ],
    ] as const) {
      const { stdout, stderr, exitCode } = await vm.exec(command);
      expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
      expect(stderr.startsWith(message)).toBe(true);
    }
  });

  it("says so in a VM without toolkits", async () => {
    const bare = await vms.create({ toolkits: [] });
    const { stdout, exitCode } = await bare.exec("agentos list");
    expect({ stdout, exitCode }).toEqual({ stdout: "This VM has no toolkits.\n", exitCode: 0 });
  });
});

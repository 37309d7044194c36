import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vm, Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";
import { projectToolkit } from "./project-toolkit.ts";

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

const pty = { cols: 120, rows: 30 };

/** A command on a terminal that can be waited for to show something. */
async function open(command: string) {
  let shown = "";
  let look = (): void => undefined;
  const exec = await vm.spawn(command, {
    pty,
    onOutput: (_, bytes) => {
      shown += new TextDecoder().decode(bytes);
      look();
    },
  });
  const shows = (text: string): Promise<string> =>
    new Promise((resolve) => {
      look = () => {
        if (shown.includes(text)) resolve(shown);
      };
      look();
    });
  const type = (keys: string): Promise<void> => exec.write(new TextEncoder().encode(keys));
  return { exec, shows, type, forget: () => (shown = "") };
}

describe("on a terminal", () => {
  it("data is indented and progress goes by", async () => {
    const { exec, shows } = await open("agentos-project list-issues --limit 1 --fields id");
    await exec.wait();
    expect(await shows("]")).toBe('[\r\n  {\r\n    "id": 1\r\n  }\r\n]\r\n');
    const stream = await open("agentos-project stream --size 1");
    await stream.exec.wait();
    expect(await stream.shows("}")).toBe(
      `\r\u001b[Kcounting (0/1)\r\u001b[K{"piece":0,"pad":"${"p".repeat(80)}"}\r\n`,
    );
  });

  it("Ctrl-C ends the call at the host", async () => {
    const abort = new Promise((resolve) =>
      aborts.addEventListener("forever", resolve, { once: true }),
    );
    const { exec, shows, type } = await open("echo ready; agentos-project forever");
    await shows("ready");
    await expect
      .poll(async () => (await vm.exec("pgrep -f project.forever")).exitCode, { timeout: 20_000 })
      .toBe(0);
    await type("\u0003");
    await exec.wait();
    expect(exec.status()).toMatchObject({ exitCode: 130 });
    await abort;
  });
});

describe("TAB", () => {
  it("completes tools, flags and choices", async () => {
    const { exec, shows, type, forget } = await open("PS1='$ ' bash --norc -i");
    await shows("$ ");
    await type("agentos-project list-is\t");
    await shows("list-issues ");
    await type("--st\t");
    await shows("--state ");
    await type("cl\t");
    await shows("closed ");
    await type("--no\t");
    await shows("--no-dry-run ");
    forget();
    await type("\u0015agentos desc\tpro\tcreate-is\t");
    await shows("create-issue ");
    forget();
    await type("\u0015agentos-project create-issue --meta\t");
    await shows("--meta.priority ");
    forget();
    await type("\u0015agentos-project list-issues --state=al\t");
    await shows("--state=all ");
    await type("\u0015exit\n");
    await exec.wait();
    expect(exec.status()).toMatchObject({ exitCode: 0 });
  });

  it("leaves values to the names of files", async () => {
    const { exec, shows, type } = await open("touch zebra.txt; PS1='$ ' bash --norc -i");
    await shows("$ ");
    await type("agentos-project create-issue --json-file zeb\t");
    await shows("zebra.txt ");
    await type("\u0015exit\n");
    await exec.wait();
  });

  it("is what real bash asks for: the line in COMP_LINE, the word as the second operand", async () => {
    const { stdout } = await vm.exec(
      "COMP_LINE='agentos-project c' COMP_POINT=17 agentos-project agentos-project c agentos-project",
    );
    expect(stdout).toBe("create-issue\n");
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vm, Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";
import { bytesOf, hostCommand, untilGone } from "../../support/host-commands.ts";
import { Screen } from "../../support/screen.ts";

let vms: Vms;
let vm: Vm;

/** Shows what comes as numbers, until a `q`; with an argument the terminal is raw meanwhile. */
const keys = hostCommand("keys", async (call) => {
  const { argv, terminal, stdin, writeOut } = call;
  call.onResize(({ columns, rows }) => {
    writeOut(bytesOf(`now ${columns}x${rows}\r\n`)).catch(() => undefined);
  });
  call.setRaw(argv.length > 1);
  await writeOut(
    bytesOf(terminal === undefined ? "none\n" : `${terminal.columns}x${terminal.rows}\r\n`),
  );
  for await (const bytes of stdin) {
    await writeOut(bytesOf(`<${bytes.join()}>\r\n`));
    if (bytes.includes(0x71)) break;
  }
  return 0;
});

const stays = hostCommand("stays-raw", async (call) => {
  call.setRaw(true);
  await call.writeOut(bytesOf("raw\r\n"));
  if (call.argv[1] === "throws") throw new Error("oh");
  await untilGone(call);
  return 0;
});

const toggles = hostCommand("toggles", async (call) => {
  call.setRaw(true);
  for await (const bytes of call.stdin) {
    await call.writeOut(bytesOf(`<${bytes.join()}>\r\n`));
    break;
  }
  call.setRaw(false);
  for await (const bytes of call.stdin) {
    await call.writeOut(bytesOf(`<${bytes.join()}>\n`));
    break;
  }
  return 0;
});

async function open(command: string): Promise<Screen> {
  return new Screen(await vm.spawn(command, { pty: { cols: 100, rows: 30 } }));
}

beforeAll(async () => {
  vms = new built.Vms({ poolSize: 1 });
  vm = await vms.create({ commands: [keys, stays, toggles] });
});

afterAll(async () => {
  await vms.close();
});

const settings = "stty -a | grep -oE -- '-?(icanon|isig|echo|opost)\\b' | xargs";

describe("a host command at a terminal", () => {
  it("gets lines, and Ctrl-C is a signal", async () => {
    const screen = await open("keys");
    await screen.until("100x30\r");
    await screen.type("ab\n");
    await screen.until("<97,98,10>");
    await screen.type("\x03");
    await screen.ended();
    expect(screen.lines).toBe("100x30\nab\n<97,98,10>\n^C");
    expect(screen.exec.status()).toMatchObject({ signal: "SIGINT" });
  });

  it("gets every byte when it is raw, and leaves the terminal as it was", async () => {
    const screen = await open(`${settings}; keys raw; ${settings}`);
    await screen.until("100x30\r");
    await screen.type("\x03");
    await screen.until("<3>");
    await screen.type("\r\x04");
    await screen.until("<13,4>");
    await screen.exec.resize({ cols: 90, rows: 20 });
    await screen.until("now 90x20");
    await screen.type("q");
    await screen.ended();
    const shown = "opost isig icanon echo\r\n";
    expect(screen.shown).toBe(`${shown}100x30\r\n<3>\r\n<13,4>\r\nnow 90x20\r\n<113>\r\n${shown}`);
  });

  it("may be raw for a while", async () => {
    const screen = await open("toggles");
    const settings = "for t in /dev/pts/[0-9]*; do stty -a < $t; done";
    const look = async (): Promise<string> => (await vm.exec(settings, { as: "root" })).stdout;
    await expect.poll(look).toContain("-icanon");
    await screen.type("x");
    await screen.until("<120>\r\n");
    await screen.type("yz\n");
    await screen.ended();
    expect(screen.shown).toMatch(/^<120>\r\nyz\r\n<121,122,10>\r\n$/);
  });

  it.each(["kill -9", "a signal", "an error"])(
    "leaves the terminal as it was after %s",
    async (how) => {
      const screen = await open(`stays-raw ${how === "an error" ? "throws" : ""}; ${settings}`);
      await screen.until("raw\r\n");
      if (how === "kill -9") await vm.exec("pkill -KILL stays-raw");
      if (how === "a signal") await vm.exec("pkill -HUP stays-raw");
      await screen.ended();
      expect(screen.shown).toContain("opost isig icanon echo\r\n");
    },
  );

  it("has none when one of its streams is elsewhere", async () => {
    const screen = await open("keys raw 2> /dev/null");
    await screen.until("none\r");
    await screen.type("q\n");
    await screen.ended();
    expect(screen.lines).toBe("none\nq\n<113,10>\n");
  });

  it("leaves an interactive shell its keys when it is killed", async () => {
    const screen = await open("PS1='> ' exec bash --norc -i");
    await screen.until("> ");
    await screen.type("stays-raw\r");
    await screen.until("raw\r\n");
    await vm.exec("pkill -KILL stays-raw");
    await screen.until("Killed");
    await screen.type("echo a$((1 + 1))b\r");
    await screen.until("a2b\r\n");
    await screen.type("exit\r");
    await screen.ended();
    expect(screen.shown).toContain("echo a$((1 + 1))b");
  });
});

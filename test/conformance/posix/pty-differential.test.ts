/**
 * The line discipline against Linux's: cases recorded by record-pty.py are replayed on our
 * pseudo-terminal, and both sides must carry the same bytes after every step.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isKernelError } from "../../../src/kernel/abi/kernel-error.ts";
import { O_NONBLOCK } from "../../../src/kernel/abi/open-flags.ts";
import { POLLOUT } from "../../../src/kernel/abi/poll.ts";
import type { IoctlRequest, Termios } from "../../../src/kernel/abi/terminal.ts";
import type { OpenFile } from "../../../src/kernel/fd/open-file.ts";
import { DEFAULT_TERMIOS } from "../../../src/kernel/pty/termios.ts";
import { makePty, type TestPty } from "../../support/terminals.ts";

type Changes = Readonly<Record<string, boolean | number>>;
type Step =
  | readonly ["type" | "print", string]
  | readonly ["read", number]
  | readonly ["set" | "setflush", Changes];

/** What was seen after a step; what is left out is nothing, or just writable. */
interface Seen {
  readonly shown?: string;
  readonly signals?: readonly string[];
  readonly input?: number;
  readonly poll?: number;
  readonly read?: string;
  readonly wrote?: number | string;
}

interface RecordedCase {
  readonly name: string;
  readonly set: Changes;
  readonly steps: readonly (readonly [Step, Seen])[];
}

const fixture = new URL("./fixtures/pty.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(fixture, "utf8")) as { cases: RecordedCase[] };

describe("a pseudo-terminal, beside Linux's", () => {
  it.each(cases)("agrees on $name", async ({ set, steps }) => {
    const pty = makePty();
    pty.master.flags |= O_NONBLOCK;
    pty.slave.flags |= O_NONBLOCK;
    await pty.slave.ioctl({ request: "TIOCSCTTY" }, pty.leader);
    await pty.slave.ioctl(settings(set), pty.leader);
    const seen: [Step, Seen][] = [];
    for (const [step] of steps) {
      const answer = await take(step, pty);
      seen.push([step, { ...answer, ...(await look(pty)) }]);
    }
    expect(seen).toEqual(steps);
  });
});

async function take(step: Step, { master, slave, leader }: TestPty): Promise<Seen> {
  switch (step[0]) {
    case "type":
      await master.write(Buffer.from(step[1], "hex"), leader);
      return {};
    case "print": {
      const bytes = Buffer.from(step[1], "hex");
      const wrote = await errnoOr(slave.write(bytes, leader));
      return wrote === bytes.length ? {} : { wrote };
    }
    case "read": {
      const into = Buffer.alloc(step[1]);
      const count = await errnoOr(slave.read(into, leader));
      return { read: typeof count === "number" ? into.toString("hex", 0, count) : count };
    }
    case "set":
    case "setflush":
      await slave.ioctl({ ...settings(step[1]), flush: step[0] === "setflush" }, leader);
      return {};
  }
}

async function look({ master, slave, leader, jobs }: TestPty): Promise<Seen> {
  const shown = await drain(master, leader);
  // A signal sent twice before it is handled is one, as it was in the recording.
  const sent = jobs.sent.splice(0).map((line) => line.replace(" to group 7", ""));
  const signals = [...new Set(sent)];
  const input = await slave.ioctl({ request: "FIONREAD" }, leader);
  const poll = slave.poll();
  return {
    ...(shown === "" ? {} : { shown }),
    ...(signals.length === 0 ? {} : { signals: signals.sort() }),
    ...(input === 0 ? {} : { input: input as number }),
    ...(poll === POLLOUT ? {} : { poll }),
  };
}

async function drain(master: OpenFile, leader: TestPty["leader"]): Promise<string> {
  const into = Buffer.alloc(65_536);
  let shown = "";
  for (;;) {
    const count = await errnoOr(master.read(into, leader));
    if (typeof count === "string") return shown;
    shown += into.toString("hex", 0, count);
  }
}

async function errnoOr(call: Promise<number>): Promise<number | string> {
  return call.catch((error: unknown) => {
    if (isKernelError(error)) return error.errno;
    throw error;
  });
}

function settings(changes: Changes): IoctlRequest & { request: "TCSETS" } {
  const change = <G extends object>(group: G): G =>
    Object.fromEntries(
      Object.entries(group).map(([name, value]) => [name, changes[name] ?? value]),
    ) as G;
  const { iflag, oflag, lflag, cc } = DEFAULT_TERMIOS;
  const termios: Termios = {
    iflag: change(iflag),
    oflag: change(oflag),
    lflag: change(lflag),
    cc: change(cc),
  };
  return { request: "TCSETS", termios };
}

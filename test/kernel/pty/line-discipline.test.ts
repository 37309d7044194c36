/** The rules in words; pty-differential.test.ts holds the same code against Linux's own. */
import { describe, expect, it } from "vitest";
import { signals } from "../../../src/kernel/abi/signals.ts";
import type { Termios } from "../../../src/kernel/abi/terminal.ts";
import { LineDiscipline } from "../../../src/kernel/pty/line-discipline.ts";
import { TerminalOutput } from "../../../src/kernel/pty/terminal-output.ts";
import { DEFAULT_TERMIOS, makeRaw } from "../../../src/kernel/pty/termios.ts";

describe("LineDiscipline", () => {
  it("erases a whole UTF-8 character, on the screen one column", () => {
    const { type, shown, line } = make();
    type("a€\x7f\n");
    expect([shown(), line()]).toEqual(["a€\b \b\r\n", "a\n"]);
  });

  it("erases a control character's two columns", () => {
    const { type, shown } = make();
    type("\x01\x7f");
    expect(shown()).toBe("^A\b \b\b \b");
  });

  it("erases a tab back to where it began, counted from the prompt", () => {
    const { type, shown, output } = make();
    output.write(new TextEncoder().encode("$ "), 0, DEFAULT_TERMIOS.oflag);
    type("a\t\x7f");
    expect(shown()).toBe(`$ a\t${"\b".repeat(5)}`);
  });

  it("erases words and lines", () => {
    const { type, line } = make();
    type("one two\x17\x17x\x15three\n");
    expect(line()).toBe("three\n");
  });

  it("sends a signal, forgets the line and shows the character", () => {
    const { type, sent, shown, line } = make();
    type("abc");
    type("\x03d\n");
    expect([sent, shown(), line()]).toEqual([[signals.SIGINT], "abc^Cd\r\n", "d\n"]);
  });

  it("keeps the line at a signal with NOFLSH", () => {
    const { type, sent, line } = make({ NOFLSH: true });
    type("abc\x1ad\n");
    expect([sent, line()]).toEqual([[signals.SIGTSTP], "abcd\n"]);
  });

  it("takes the next byte as it is after VLNEXT", () => {
    const { type, sent, shown, line } = make();
    type("\x16\x03\n");
    expect([sent, shown(), line()]).toEqual([[], "^\b^C\r\n", "\x03\n"]);
  });

  it("holds output between VSTOP and VSTART, echoes included", () => {
    const { type, shown, output } = make();
    type("\x13ab");
    expect([output.write(Uint8Array.of(65), 0, DEFAULT_TERMIOS.oflag), shown()]).toEqual([0, ""]);
    type("\x11");
    expect(shown()).toBe("ab");
  });

  it("overwrites the last byte of a line that is too long, and ends it still", () => {
    const { type, line, discipline } = make({ ECHO: false });
    expect(type(`${"x".repeat(4095)}yz\n`)).toBe(4098);
    expect(line()).toBe(`${"x".repeat(4095)}\n`);
    expect(discipline.room).toBe(4095);
  });

  it("takes nothing more while whole lines fill it", () => {
    const { type, line } = make({ ECHO: false });
    expect(type("12345678\n".repeat(500))).toBe(4095);
    expect(type("x")).toBe(0);
    expect(line()).toBe("12345678\n");
    expect(type("x")).toBe(1);
  });

  it("passes bytes untouched in raw mode", () => {
    const { type, shown, discipline } = make();
    discipline.termios = makeRaw(DEFAULT_TERMIOS);
    type("\x03\x04\r\n\x13");
    const into = new Uint8Array(9);
    expect([...into.subarray(0, discipline.take(into))]).toEqual([3, 4, 13, 10, 19]);
    expect(shown()).toBe("");
  });
});

function make(lflag: Partial<Termios["lflag"]> = {}) {
  const output = new TerminalOutput();
  const sent: number[] = [];
  const discipline = new LineDiscipline(output, (signal) => sent.push(signal));
  const { termios } = discipline;
  discipline.termios = { ...termios, lflag: { ...termios.lflag, ...lflag } };
  const type = (text: string): number => discipline.receive(new TextEncoder().encode(text));
  const shown = (): string => text((into) => output.bytes.shift(into));
  const line = (): string => text((into) => discipline.take(into));
  return { output, sent, discipline, type, shown, line };
}

function text(take: (into: Uint8Array) => number): string {
  const into = new Uint8Array(70_000);
  return new TextDecoder().decode(into.subarray(0, take(into)));
}

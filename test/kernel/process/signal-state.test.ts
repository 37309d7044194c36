import { describe, expect, it } from "vitest";
import { signals } from "../../../src/kernel/abi/signals.ts";
import { SignalState } from "../../../src/kernel/process/signal-state.ts";

const { SIGCHLD, SIGHUP, SIGINT, SIGKILL, SIGSTOP, SIGTERM } = signals;

describe("the signals of a process", () => {
  it("are pending once each and taken lowest first", () => {
    const state = new SignalState();
    for (const signal of [SIGTERM, SIGINT, SIGTERM]) state.add(signal);
    expect([...state.pending]).toEqual([SIGTERM, SIGINT]);
    expect(state.take(new Set([SIGTERM, SIGINT]))).toBe(SIGINT);
    expect(state.take(new Set([SIGINT]))).toBeUndefined();
    expect(state.take(new Set([SIGTERM]))).toBe(SIGTERM);
  });

  it("never have SIGKILL or SIGSTOP blocked", () => {
    const state = new SignalState();
    state.setBlocked([SIGKILL, SIGSTOP, SIGHUP]);
    expect([...state.blocked]).toEqual([SIGHUP]);
  });

  it("are forgotten when they are ignored, or are ignored by default", () => {
    const state = new SignalState();
    state.setDisposition(SIGCHLD, "catch");
    for (const signal of [SIGINT, SIGCHLD, SIGTERM]) state.add(signal);
    state.setDisposition(SIGINT, "ignore");
    state.setDisposition(SIGCHLD, "default");
    state.setDisposition(SIGTERM, "default");
    expect([...state.pending]).toEqual([SIGTERM]);
  });

  it("interrupt only where they are caught and not blocked", () => {
    const state = new SignalState();
    state.add(SIGINT);
    expect(state.hasCaught).toBe(false);
    state.setDisposition(SIGINT, "catch");
    expect(state.hasCaught).toBe(true);
    state.setBlocked([SIGINT]);
    expect(state.hasCaught).toBe(false);
  });

  it("are inherited without what is pending; exec resets what is caught", () => {
    const state = new SignalState();
    state.setDisposition(SIGINT, "ignore");
    state.setDisposition(SIGTERM, "catch");
    state.setBlocked([SIGHUP]);
    state.add(SIGHUP);
    const child = state.copy();
    expect([child.disposition(SIGINT), child.disposition(SIGTERM)]).toEqual(["ignore", "catch"]);
    expect([[...child.blocked], [...child.pending]]).toEqual([[SIGHUP], []]);
    child.resetCaught();
    expect([child.disposition(SIGINT), child.disposition(SIGTERM)]).toEqual(["ignore", "default"]);
    expect(state.disposition(SIGTERM)).toBe("catch");
  });
});

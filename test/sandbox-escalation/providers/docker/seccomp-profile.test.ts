import { describe, expect, it } from "vitest";
import { makeSeccompProfile } from "../../../../src/sandbox-escalation/providers/docker/seccomp-profile.ts";

/** Whether libseccomp, given the profile, refuses a call: 64-bit comparisons, rules are alternatives. */
function isRefused(name: string, ...args: readonly bigint[]): boolean {
  return makeSeccompProfile("x64")
    .syscalls.filter(({ names }) => names.includes(name))
    .some((rule) =>
      rule.args.every(({ index, value, valueTwo, op }) => {
        const given = args[index] ?? 0n;
        if (op === "SCMP_CMP_GT") return given > BigInt(value);
        return (given & BigInt(value)) === BigInt(valueTwo);
      }),
    );
}

describe("makeSeccompProfile", () => {
  it("refuses sockets of families beyond the usual, whatever their high bits", () => {
    for (const family of [1n, 2n, 10n, 16n]) expect(isRefused("socket", family)).toBe(false);
    for (const family of [0n, 3n, 9n, 11n, 15n, 17n, 38n, 40n])
      expect(isRefused("socket", family)).toBe(true);
    expect(isRefused("socket", 0x1_0000_0028n)).toBe(true);
    expect(isRefused("socketpair", 1n)).toBe(false);
    expect(isRefused("socketpair", 40n)).toBe(true);
  });

  it("refuses new namespaces and lets processes be made", () => {
    expect(isRefused("clone", 17n)).toBe(false);
    expect(isRefused("clone", 0x1000_0011n)).toBe(true);
    expect(isRefused("clone", 0x0002_0000n)).toBe(true);
    expect(isRefused("unshare", 0x4000_0000n)).toBe(true);
    expect(isRefused("unshare", 0x0000_0080n)).toBe(true);
    expect(isRefused("unshare", 0x0000_0200n)).toBe(false);
    expect(isRefused("clone3")).toBe(true);
  });

  it("refuses typing into terminals, whatever the request's high bits", () => {
    expect(isRefused("ioctl", 1n, 0x5412n)).toBe(true);
    expect(isRefused("ioctl", 1n, 0xdead_0000_5412n)).toBe(true);
    expect(isRefused("ioctl", 1n, 0x5413n)).toBe(false);
  });

  it("refuses what reaches the host beside the namespaces", () => {
    for (const name of ["io_uring_setup", "keyctl", "bpf", "userfaultfd", "mount", "setns"])
      expect(isRefused(name)).toBe(true);
    for (const name of ["read", "execve", "futex"]) expect(isRefused(name)).toBe(false);
  });

  it("names no call that the architecture has not", () => {
    const names = makeSeccompProfile("arm64").syscalls.flatMap((rule) => rule.names);
    expect(names).not.toContain("iopl");
    expect(names).toContain("mount");
  });
});

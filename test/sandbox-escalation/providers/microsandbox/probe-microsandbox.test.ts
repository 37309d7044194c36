import { describe, expect, it } from "vitest";
import { parseDoctor } from "../../../../src/sandbox-escalation/providers/microsandbox/probe-microsandbox.ts";

/** Of 0.6.18, on a machine whose /dev/kvm boots no ordinary kernel. */
const NO_VIRTUALIZATION = `info Platform: Linux x86_64
info Version: v0.6.18
info MSB_HOME: /root/.microsandbox
   ✓ msb          /usr/lib/node_modules/@superradcompany/microsandbox-linux-x64-gnu/bin/msb
   ✓ libkrunfw    /usr/lib/node_modules/@superradcompany/microsandbox-linux-x64-gnu/lib/libkrunfw.so.5.6.1
   ✗ CPU virt     not found
   ✓ KVM device   /dev/kvm
   ✓ KVM access   read/write
error: CPU virtualization is not available
  → no vmx (Intel) or svm (AMD) flag in /proc/cpuinfo
  → enable virtualization (VT-x / AMD-V) in your BIOS or UEFI firmware
  → inside a VM, enable nested virtualization on the host
`;

describe("what msb doctor says", () => {
  it("is the reason and what to do", () => {
    expect(parseDoctor(NO_VIRTUALIZATION)).toEqual({
      reason:
        "microsandbox cannot run here: CPU virtualization is not available; no vmx (Intel) or svm (AMD) flag in /proc/cpuinfo.",
      fix: "enable virtualization (VT-x / AMD-V) in your BIOS or UEFI firmware, or inside a VM, enable nested virtualization on the host",
    });
  });

  it("may be nothing that is understood", () => {
    const unknown = { reason: "microsandbox cannot run here.", fix: "see: msb doctor" };
    expect(parseDoctor("")).toEqual(unknown);
    expect(parseDoctor("panicked at src/main.rs")).toEqual(unknown);
    expect(parseDoctor("error: x")).toEqual({
      reason: "microsandbox cannot run here: x.",
      fix: "see: msb doctor",
    });
    expect(parseDoctor(`error: ${"x".repeat(5000)}`).reason.length).toBe(400);
  });
});

import { describe, expect, it } from "vitest";
import {
  defaultPermissions,
  type PermissionsConfig,
  Policy,
  type Scope,
  scopeOperations,
} from "../../../src/kernel/permissions/policy.ts";

describe("a policy", () => {
  it("allows what stays in the VM and denies what leaves it, when nothing is said", () => {
    const policy = new Policy();
    const modes = (Object.keys(scopeOperations) as Scope[]).map((scope) => [
      scope,
      policy.decide(scope, scopeOperations[scope][0], "x"),
    ]);
    expect(Object.fromEntries(modes)).toEqual({
      fs: { mode: "allow", rule: "fs" },
      network: { mode: "deny", rule: "network.default" },
      childProcess: { mode: "allow", rule: "childProcess" },
      process: { mode: "allow", rule: "process" },
      env: { mode: "allow", rule: "env" },
      toolkit: { mode: "deny", rule: "toolkit" },
    });
    expect(Object.keys(defaultPermissions)).toEqual(Object.keys(scopeOperations));
  });

  it("lets a VM use its own loopback until a rule or the mode says otherwise", () => {
    const loopback = { mode: "allow", rule: "network.loopback" };
    const granted = new Policy({
      network: { rules: [{ mode: "allow", patterns: ["tcp://10.0.0.1:80"] }] },
    });
    for (const policy of [new Policy(), granted]) {
      expect(policy.decide("network", "listen", "tcp://0.0.0.0:80")).toEqual(loopback);
      expect(policy.decide("network", "http", "tcp://127.0.0.2:80")).toEqual(loopback);
      expect(policy.decide("network", "http", "udp://[::1]:53")).toEqual(loopback);
      for (const subject of ["tcp://127.evil.example:80", "tcp://[::2]:80", "tcp://10.0.0.2:80"]) {
        expect(policy.decide("network", "http", subject).rule).toBe("network.default");
      }
    }
    const ruled = new Policy({
      network: { rules: [{ mode: "deny", patterns: ["tcp://127.0.0.1:*"] }] },
    });
    expect(ruled.decide("network", "http", "tcp://127.0.0.1:80").mode).toBe("deny");
    const denied = new Policy({ network: "deny" });
    expect(denied.decide("network", "listen", "tcp://127.0.0.1:80").mode).toBe("deny");
  });

  it("goes by the last rule that matches", () => {
    const policy = new Policy({
      fs: {
        default: "ask",
        rules: [
          { mode: "allow", paths: ["/workspace/**"] },
          { mode: "deny", operations: ["write", "rm"], paths: ["/workspace/.git/**"] },
          { mode: "ask", paths: ["/workspace/.git/config"] },
        ],
      },
    });
    const decide = (operation: "read" | "write", path: string) =>
      policy.decide("fs", operation, path);
    expect(decide("write", "/workspace/a/b")).toEqual({ mode: "allow", rule: "fs.rules[0]" });
    expect(decide("write", "/workspace")).toEqual({ mode: "allow", rule: "fs.rules[0]" });
    expect(decide("write", "/workspace/.git")).toEqual({ mode: "deny", rule: "fs.rules[1]" });
    expect(decide("read", "/workspace/.git/x")).toEqual({ mode: "allow", rule: "fs.rules[0]" });
    expect(decide("read", "/workspace/.git/config")).toEqual({ mode: "ask", rule: "fs.rules[2]" });
    expect(decide("read", "/etc/passwd")).toEqual({ mode: "ask", rule: "fs.default" });
  });

  it("denies what no rule matches unless a default says otherwise", () => {
    const policy = new Policy({ toolkit: { rules: [{ mode: "allow", patterns: ["git:*"] }] } });
    expect(policy.decide("toolkit", "invoke", "git:status").mode).toBe("allow");
    expect(policy.decide("toolkit", "invoke", "mail:send")).toEqual({
      mode: "deny",
      rule: "toolkit.default",
    });
  });

  it("takes a single star for everything", () => {
    const policy = new Policy({
      fs: { rules: [{ mode: "allow", operations: ["*"], paths: ["*"] }] },
    });
    expect(policy.decide("fs", "read", "/a/b/c").mode).toBe("allow");
  });

  const mistakes: readonly (readonly [unknown, string])[] = [
    [{ files: "allow" }, "permissions.files: Invalid argument (there is no such scope)"],
    [
      { __proto__: null, constructor: "allow" },
      "permissions.constructor: Invalid argument (there is no such scope)",
    ],
    [{ fs: "maybe" }, 'permissions.fs: Invalid argument (a mode is "allow", "deny" or "ask")'],
    [
      { fs: [] },
      'permissions.fs: Invalid argument (give "allow", "deny", "ask" or { default, rules: […] })',
    ],
    [
      { fs: null },
      'permissions.fs: Invalid argument (give "allow", "deny", "ask" or { default, rules: […] })',
    ],
    [
      { fs: { rules: [], defaults: "deny" } },
      "permissions.fs.defaults: Invalid argument (known here: default, rules)",
    ],
    [
      { fs: { default: "no", rules: [] } },
      'permissions.fs.default: Invalid argument (a mode is "allow", "deny" or "ask")',
    ],
    [{ fs: { rules: ["x"] } }, "permissions.fs.rules[0]: Invalid argument (a rule is an object)"],
    [
      { fs: { rules: [{ mode: "deny", patterns: ["/x"] }] } },
      "permissions.fs.rules[0].patterns: Invalid argument (known here: mode, operations, paths)",
    ],
    [
      { env: { rules: [{ mode: "deny", paths: ["X"] }] } },
      "permissions.env.rules[0].paths: Invalid argument (known here: mode, operations, patterns)",
    ],
    [
      { env: { rules: [{ mode: "deny", operations: ["list"] }] } },
      'permissions.env.rules[0].operations: Invalid argument ("list" is none of *, read, write)',
    ],
    [
      { fs: { rules: [{ mode: "deny", paths: [] }] } },
      'permissions.fs.rules[0].paths: Invalid argument (an empty list matches nothing; use ["*"] for all)',
    ],
    [
      { fs: { rules: [{ mode: "deny", paths: [""] }] } },
      "permissions.fs.rules[0].paths: Invalid argument (give a list of words)",
    ],
    [
      { fs: { rules: [{ mode: "deny", paths: "/x" }] } },
      "permissions.fs.rules[0].paths: Invalid argument (give a list of words)",
    ],
  ];
  for (const [config, message] of mistakes) {
    it(`is refused with what is wrong: ${JSON.stringify(config)}`, () => {
      expect(() => new Policy(config as PermissionsConfig)).toThrow(
        expect.objectContaining({ message: `EINVAL: ${message}` }),
      );
    });
  }

  it.each<[Exclude<PermissionsConfig["toolkit"], undefined>, boolean]>([
    ["deny", false],
    ["allow", true],
    ["ask", true],
    [{ rules: [] }, false],
    [{ default: "ask", rules: [] }, true],
    [{ rules: [{ mode: "allow", patterns: ["project:list-*"] }] }, true],
    [{ rules: [{ mode: "ask", patterns: ["pro*"] }] }, true],
    [{ rules: [{ mode: "allow", patterns: ["other:*", "project"] }] }, false],
    [{ rules: [{ mode: "allow" }, { mode: "deny", patterns: ["project:*"] }] }, false],
    [{ rules: [{ mode: "allow" }, { mode: "deny", patterns: ["project:delete-*"] }] }, true],
    [{ default: "allow", rules: [{ mode: "deny", patterns: ["*:list"] }] }, true],
    [{ default: "allow", rules: [{ mode: "deny", operations: ["invoke"] }] }, false],
  ])("knows whether %j could grant a tool of a toolkit", (toolkit, could) => {
    expect(new Policy({ toolkit }).couldGrant("project")).toBe(could);
  });
});

import { describe, expect, it } from "vitest";
import { HostError } from "../../src/vm/host-error.ts";
import { placeSoftware, type SoftwareOption } from "../../src/vm/software-options.ts";

function problemOf(software: readonly SoftwareOption[]): string {
  try {
    placeSoftware(software);
  } catch (error) {
    if (error instanceof HostError) return String(error.facts["problem"]);
    throw error;
  }
  return "none";
}

describe("placeSoftware", () => {
  it("has a place for every folder", () => {
    expect(
      placeSoftware([
        "/srv/tools",
        "/srv/app/node_modules/",
        { path: "/srv/x", at: "/usr//lib/node_modules/" },
        { path: "/srv/x", at: "/lib/y" },
      ]),
    ).toEqual([
      { path: "/srv/app/node_modules/", at: "/node_modules" },
      { path: "/srv/tools", at: "/opt/software/tools" },
      { path: "/srv/x", at: "/usr/lib/node_modules" },
      { path: "/srv/x", at: "/usr/lib/y" },
    ]);
  });

  it("mounts a folder before what lies in it", () => {
    const placed = placeSoftware([
      { path: "/a", at: "/opt/x/y" },
      { path: "/b", at: "/opt/x" },
    ]);
    expect(placed.map(({ at }) => at)).toEqual(["/opt/x", "/opt/x/y"]);
  });

  it.each([
    ["relative", "tools"],
    ["of the user's home", "~/tools"],
    ["empty", ""],
    ["with a NUL", "/a\0b"],
    ["no text", 7],
    ["nothing", null],
    ["without a path", {}],
  ])("refuses a path that is %s", (_, option) => {
    expect(problemOf([option as never])).toBe(
      'software: the path of a folder is absolute, as in "/home/me/tools"',
    );
  });

  it.each(["/", "//", "/srv/.."])("refuses the whole host (%s)", (path) => {
    expect(problemOf([path])).toBe("software: the whole file system of the host is no software");
  });

  it.each([
    ["opt", '"at" is an absolute path in the VM'],
    ["/opt/../etc", '"at" is a path without . and .. in it'],
    [`/${"x".repeat(256)}`, '"at" is a path without . and .. in it'],
    ["/a/".repeat(2000), '"at" is a path without . and .. in it'],
    ["/", "nothing can be mounted at /"],
    ["/proc/1", "nothing can be mounted at /proc/1"],
    ["/dev", "nothing can be mounted at /dev"],
  ])("refuses the place %s", (at, problem) => {
    expect(problemOf([{ path: "/srv/x", at }])).toBe(`software: ${problem}`);
  });

  it("refuses two folders at one place, and too many", () => {
    expect(problemOf(["/a/tools", "/b/tools"])).toBe(
      'software: two folders go to /opt/software/tools; give one of them another "at"',
    );
    const many = Array.from({ length: 65 }, (_, i) => `/srv/${i}`);
    expect(problemOf(many)).toBe("software: there are more than 64 folders");
    expect(problemOf("/srv" as never)).toBe("software: it is a list of folders");
  });
});

import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  defaultHomeDirectory,
  HomeError,
  newSocketPath,
  openHome,
} from "../../src/mcp-server/home.ts";

let directory: string;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "agentos-mcp-home-")));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe("defaultHomeDirectory", () => {
  it.each<[NodeJS.Platform, NodeJS.ProcessEnv, string]>([
    ["linux", {}, join(homedir(), ".local/state/agentos-mcp")],
    ["linux", { XDG_STATE_HOME: "/x" }, "/x/agentos-mcp"],
    ["linux", { XDG_STATE_HOME: "" }, join(homedir(), ".local/state/agentos-mcp")],
    [
      "darwin",
      { XDG_STATE_HOME: "/x" },
      join(homedir(), "Library/Application Support/agentos-mcp"),
    ],
    ["win32", { LOCALAPPDATA: "/local" }, "/local/agentos-mcp"],
    ["win32", {}, join(homedir(), "AppData/Local/agentos-mcp")],
  ])("on %s with %j is %s", (platform, env, expected) => {
    expect(defaultHomeDirectory(platform, env)).toBe(expected);
  });
});

describe("openHome", () => {
  it("makes the directory and its parents, closed to others", () => {
    const home = openHome(join(directory, "a/b"));
    expect(home).toEqual({
      directory: join(directory, "a/b"),
      logFile: join(directory, "a/b/logs/server.log"),
    });
    expect([modeOf(home.directory), modeOf(dirname(home.logFile))]).toEqual(["700", "700"]);
  });

  it("closes a directory that others could read", () => {
    chmodSync(directory, 0o755);
    openHome(directory);
    expect(modeOf(directory)).toBe("700");
  });

  it("knows one home by all its names", () => {
    symlinkSync(directory, `${directory}-link`);
    try {
      expect(openHome(`${directory}-link`)).toEqual(
        openHome(`${directory}/../${directory.split("/").at(-1)}`),
      );
    } finally {
      rmSync(`${directory}-link`);
    }
  });

  it.each([0o777, 0o770, 0o720])("refuses a directory others can write, mode %o", (mode) => {
    chmodSync(directory, mode);
    expect(() => openHome(directory)).toThrow(HomeError);
    expect(() => openHome(directory)).toThrow(`Run: chmod 700 '${directory}'`);
  });

  it("refuses a directory of another user", () => {
    // Only root can give a directory away; everybody else finds that one of root's.
    const isRoot = process.getuid?.() === 0;
    const foreign = isRoot ? directory : "/";
    if (isRoot) chownSync(directory, 12345, 12345);
    const says =
      /^The directory .+ belongs to another user \(uid \d+, you are \d+\)\. Set AGENTOS_MCP_HOME/;
    expect(() => openHome(foreign)).toThrow(says);
  });

  it("says what is in the way when the home is a file", () => {
    writeFileSync(join(directory, "file"), "");
    expect(() => openHome(join(directory, "file"))).toThrow(
      /EEXIST.*Set AGENTOS_MCP_HOME to a directory you own\.$/,
    );
    expect(() => openHome(join(directory, "file/below"))).toThrow(
      /ENOTDIR.*Set AGENTOS_MCP_HOME to a directory you own\.$/,
    );
  });
});

describe("newSocketPath", () => {
  it("lies in the home", () => {
    expect(newSocketPath(openHome(directory), "server-x")).toBe(join(directory, "server-x.sock"));
  });

  it("lies in a short private directory of its own when the home's path is too long for a socket", () => {
    const deep = openHome(join(directory, "d".repeat(100)));
    const deeper = openHome(join(directory, "d".repeat(101)));
    const [one, other] = [newSocketPath(deep, "server-x"), newSocketPath(deeper, "server-x")];
    try {
      expect(Buffer.byteLength(one)).toBeLessThanOrEqual(103);
      expect(dirname(one)).not.toBe(dirname(other));
      expect([modeOf(dirname(one)), modeOf(dirname(dirname(one)))]).toEqual(["700", "700"]);
    } finally {
      rmSync(dirname(one), { recursive: true });
      rmSync(dirname(other), { recursive: true });
    }
  });

  it("refuses a short directory that somebody else has prepared", () => {
    const deep = openHome(join(directory, "d".repeat(100)));
    const parent = dirname(dirname(newSocketPath(deep, "server-x")));
    chmodSync(parent, 0o777);
    try {
      expect(() => newSocketPath(deep, "server-x")).toThrow(HomeError);
    } finally {
      chmodSync(parent, 0o700);
      mkdirSync(parent, { recursive: true });
    }
  });
});

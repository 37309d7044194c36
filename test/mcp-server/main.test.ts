import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Installation, install } from "./support/installation.ts";

let installation: Installation;
let directory: string;
beforeAll(() => {
  installation = install();
  directory = mkdtempSync(join(tmpdir(), "agentos-mcp-main-"));
});
afterAll(() => {
  installation.remove();
  rmSync(directory, { recursive: true, force: true });
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return await new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [installation.binFile, ...args],
      { env: { ...process.env, AGENTOS_MCP_HOME: directory, ...env } },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
      },
    );
    child.stdin?.end();
  });
}

describe("agentos-mcp on the command line", () => {
  it("shows its version and build", async () => {
    const { version } = JSON.parse(
      readFileSync(join(installation.directory, "package.json"), "utf8"),
    ) as { version: string };
    const expected = {
      code: 0,
      stdout: `agentos-mcp ${version} (build ${installation.buildId})\n`,
      stderr: "",
    };
    expect(await run(["--version"])).toEqual(expected);
    expect(await run(["serve", "-v"])).toEqual(expected);
  });

  it("lists commands and options with their environment variables", async () => {
    const { code, stdout, stderr } = await run(["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: agentos-mcp \[command\] \[options\]$/m);
    expect(stdout).toMatch(/^ {2}serve {2,}Serve MCP/m);
    expect(stdout).toMatch(/^ {2}stop {2,}Stop the servers/m);
    expect(stdout).toMatch(/^ {2}--home DIR .*\[AGENTOS_MCP_HOME\]$/m);
    expect(stdout).toMatch(/^ {2}--idle-ms MS .*\[AGENTOS_MCP_IDLE_MS\]$/m);
  });

  it("shows a command's own help", async () => {
    const { code, stdout } = await run(["stop", "--help"]);
    expect({ code, first: stdout.split("\n")[0] }).toEqual({
      code: 0,
      first: "Usage: agentos-mcp stop [options]",
    });
  });

  it("takes help for a command, too", async () => {
    expect(await run(["help"])).toEqual(await run(["--help"]));
    expect(await run(["help", "exec"])).toEqual(await run(["exec", "--help"]));
  });

  it.each<[string[], string]>([
    [
      ["stpo"],
      'There is no command "stpo". Did you mean "stop"? agentos-mcp --help lists them all.',
    ],
    [["qqqqqqqq"], 'There is no command "qqqqqqqq". agentos-mcp --help lists them all.'],
    [["constructor"], 'There is no command "constructor". agentos-mcp --help lists them all.'],
    [["stop", "--hom", "x"], "Unknown option --hom. Did you mean --home?"],
    [["--home"], "--home needs a value."],
    [
      ["stop", "demo"],
      'agentos-mcp stop takes no "demo". To destroy one VM: agentos-mcp vms destroy demo',
    ],
    [
      ["doctor", "extra"],
      'agentos-mcp doctor takes no "extra". agentos-mcp doctor --help shows what it takes.',
    ],
    [
      ["--home", "/tmp", "--", "extra"],
      'agentos-mcp serve takes no "extra". agentos-mcp serve --help shows what it takes.',
    ],
    [["help", "exec", "shell"], "Give one command: agentos-mcp help [command]"],
    [
      ["help", "exce"],
      'There is no command "exce". Did you mean "exec"? agentos-mcp --help lists them all.',
    ],
    [["--idle-ms=soon"], '"soon" is no number of milliseconds (--idle-ms, AGENTOS_MCP_IDLE_MS).'],
  ])("answers %j with exit code 2 and what would be right", async (args, message) => {
    expect(await run(args)).toEqual({ code: 2, stdout: "", stderr: `agentos-mcp: ${message}\n` });
  });

  it("reads options from the environment, and lets flags win", async () => {
    expect((await run(["stop"], { AGENTOS_MCP_IDLE_MS: "soon" })).code).toBe(2);
    expect((await run(["stop", "--idle-ms", "5"], { AGENTOS_MCP_IDLE_MS: "soon" })).stdout).toBe(
      "No server is running.\n",
    );
  });

  it("says that its output cannot be written", async () => {
    const line = `'${process.execPath}' '${installation.binFile}' --help >/dev/full`;
    const shown = await new Promise<object>((resolve) => {
      execFile("sh", ["-c", line], (error, _stdout, stderr) =>
        resolve({ code: error?.code, stderr }),
      );
    });
    expect(shown).toEqual({
      code: 1,
      stderr:
        "agentos-mcp: The output could not be written: ENOSPC: no space left on device, write\n",
    });
  });

  it("says in one sentence that a Node is too old", async () => {
    const pretend =
      'Object.defineProperty(process, "version", { value: "v18.20.0" });Object.defineProperty(process.versions, "node", { value: "18.20.0" });';
    const node = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(pretend)}` };
    expect(await run(["--version"], node)).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "agentos-mcp needs Node 20 or newer; this is v18.20.0. Install a newer Node and try again.\n",
    });
  });

  it("refuses a home that others can write, and says how to mend it", async () => {
    const open = join(directory, "open");
    mkdirSync(open);
    chmodSync(open, 0o777);
    expect(await run(["--home", open])).toEqual({
      code: 1,
      stdout: "",
      stderr: `agentos-mcp: The directory ${open} can be written by other users (mode 777), so what is in it cannot be trusted. Run: chmod 700 '${open}'\n`,
    });
  });
});

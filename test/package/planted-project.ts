// A project with our tools' settings and sources of the test's own, to see that the tools find
// what they are there to find.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../scripts/find-command.mjs";

const settings = [".dependency-cruiser.cjs", ".oxlintrc.json", "package.json", "tsconfig.json"];

/**
 * Runs a tool, a script of node_modules or of ours, in a project of `files`; resolves to its stdout,
 * whether or not it found something.
 */
export async function runToolOn(
  files: Readonly<Record<string, string>>,
  script: string,
  args: string[],
): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "agentos-mcp-planted-"));
  try {
    plant(root, files);
    return await run(root, script, args);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function plant(root: string, files: Readonly<Record<string, string>>): void {
  for (const file of settings) cpSync(join(projectRoot, file), join(root, file));
  symlinkSync(join(projectRoot, "node_modules"), join(root, "node_modules"));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
}

async function run(cwd: string, script: string, args: string[]): Promise<string> {
  const entry = join(projectRoot, script);
  const options = { cwd, timeout: 60_000, maxBuffer: 16 << 20 };
  try {
    return (await promisify(execFile)(process.execPath, [entry, ...args], options)).stdout;
  } catch (error) {
    if (error instanceof Error && "stdout" in error && "code" in error && error.code !== null) {
      return String(error.stdout);
    }
    throw error;
  }
}

import { boot, type RunResult, type TestMachine } from "../../../support/boot.ts";

export const clean = { stderr: "", status: 0 };

/** Files for a machine, owned by its user; folders above them are made. */
export function seedFiles(files: Readonly<Record<string, string>>) {
  const owner = { uid: 1000, gid: 1000 };
  const entries = new Map<string, object>();
  for (const [path, text] of Object.entries(files)) {
    const parts = path.split("/");
    for (let end = 2; end < parts.length; end++) {
      const folder = parts.slice(0, end).join("/");
      entries.set(folder, { path: folder, kind: "directory", mode: 0o755, ...owner });
    }
    const content = new TextEncoder().encode(text);
    const mode = text.startsWith("#!") ? 0o755 : 0o644;
    entries.set(path, { path, kind: "file", mode, content, ...owner });
  }
  const existing = new Set(["/home", "/home/user", "/tmp", "/usr", "/usr/lib", "/opt"]);
  return [...entries].filter(([path]) => !existing.has(path)).map(([, entry]) => entry as never);
}

/** A machine with some files, in which scripts run one after the other. */
export async function npmMachine(
  files: Readonly<Record<string, string>> = {},
): Promise<TestMachine> {
  return boot({ seed: seedFiles(files) });
}

/** Without what differs from run to run. */
export function untimed(result: RunResult): RunResult {
  return { ...result, stdout: result.stdout.replaceAll(/ in \d+m?s$/gm, " in TIME") };
}

// The project that a client works in, as its shim sees it. Runs on Node 20.
import { realpathSync } from "node:fs";
import { parse, resolve } from "node:path";

/**
 * What the client says, else its working directory, which its shim shares. Undefined where that says nothing:
 * the root, where desktop applications run, and a directory that is gone.
 */
export function projectOf(
  env: NodeJS.ProcessEnv,
  workingDirectory: () => string = () => process.cwd(),
): string | undefined {
  const said = env["CLAUDE_PROJECT_DIR"];
  if (said !== undefined && said !== "") return realPath(resolve(said));
  try {
    const path = realPath(workingDirectory());
    return path === parse(path).root ? undefined : path;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** One path for all links to a directory. One that does not exist is a name like any other. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

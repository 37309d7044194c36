// The one private directory of a user: where servers are found, and where they write their logs.
// Two homes never meet. Runs on Node 20.
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** A home that exists, is ours, and is closed to other users. */
export interface Home {
  readonly directory: string;
  readonly logFile: string;
}

/** A home that cannot be used; the message says why and what to do. */
export class HomeError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "HomeError";
  }
}

/** The longest socket path every Unix takes: macOS has 104 bytes, one of them the final NUL. */
const maxSocketPathBytes = 103;

/** Where a user's home is when nothing else is said. */
export function defaultHomeDirectory(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const user = homedir();
  if (platform === "win32") {
    return join(env["LOCALAPPDATA"] || join(user, "AppData", "Local"), "agentos-mcp");
  }
  if (platform === "darwin") return join(user, "Library", "Application Support", "agentos-mcp");
  return join(env["XDG_STATE_HOME"] || join(user, ".local", "state"), "agentos-mcp");
}

/**
 * Makes the directory if it is missing and returns it by its real path, so that two spellings of
 * one directory are one home. Throws HomeError when it cannot be made, belongs to another user, or
 * can be written by others.
 */
export function openHome(directory: string): Home {
  const real = openPrivateDirectory(resolve(directory));
  const logs = openPrivateDirectory(join(real, "logs"));
  return { directory: real, logFile: join(logs, "server.log") };
}

/** A socket path (on Windows a pipe name) for a server of this home, never used before. */
export function newSocketPath(home: Home, name: string): string {
  const key = createHash("sha256").update(home.directory).digest("hex").slice(0, 16);
  if (process.platform === "win32") return `\\\\.\\pipe\\agentos-mcp-${key}-${name}`;
  const beside = join(home.directory, `${name}.sock`);
  if (Buffer.byteLength(beside) <= maxSocketPathBytes) return beside;
  return join(shortDirectory(tmpdir(), key, name), `${name}.sock`);
}

/** A private directory below the temporary one, short enough to hold the socket of a deep home. */
function shortDirectory(temporary: string, key: string, name: string): string {
  const directory = join(temporary, `agentos-mcp-${process.getuid?.() ?? "user"}`, key);
  if (Buffer.byteLength(join(directory, `${name}.sock`)) > maxSocketPathBytes) {
    if (temporary !== "/tmp") return shortDirectory("/tmp", key, name);
    throw new HomeError(
      `The socket path ${directory} is too long. Set AGENTOS_MCP_HOME to a shorter path.`,
    );
  }
  openPrivateDirectory(join(directory, ".."));
  return openPrivateDirectory(directory);
}

function openPrivateDirectory(directory: string): string {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const real = realpathSync(directory);
    if (process.platform !== "win32") closeToOthers(real);
    return real;
  } catch (error) {
    if (error instanceof HomeError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new HomeError(
      `The directory ${directory} cannot be used: ${reason}. Set AGENTOS_MCP_HOME to a directory you own.`,
      { cause: error },
    );
  }
}

function closeToOthers(directory: string): void {
  const { uid, mode } = statSync(directory);
  const mine = process.getuid?.();
  if (uid !== mine) {
    throw new HomeError(
      `The directory ${directory} belongs to another user (uid ${uid}, you are ${mine}). ` +
        "Set AGENTOS_MCP_HOME to a directory you own.",
    );
  }
  if ((mode & 0o022) !== 0) {
    throw new HomeError(
      `The directory ${directory} can be written by other users (mode ${(mode & 0o777).toString(8)}), ` +
        `so what is in it cannot be trusted. Run: chmod 700 '${directory}'`,
    );
  }
  if ((mode & 0o077) !== 0) chmodSync(directory, 0o700);
}

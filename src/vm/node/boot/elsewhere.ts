// What is said below an uncaught error where the VM's sandbox could do what the VM cannot.
import { CallError, call } from "../channel.ts";
import { facts } from "../facts.ts";

/** The command that leads there; a VM without a sandbox has none. */
const SANDBOX = "/usr/local/bin/sandbox";
/** Where files are the sandbox's as well, by two names; it has the second one everywhere. */
const MOUNT_POINT = "/sandbox/";
const WORKSPACE = "/workspace/";
/** X_OK of access(2). */
const EXECUTABLE = 1;
/** More of a message is not looked at. */
const MESSAGE_LIMIT = 2000;

/** What an error says, and what it is about. */
const needs = [
  [/^ERR_DLOPEN_FAILED\n/, "native modules"],
  // Playwright's and Puppeteer's words.
  [/Executable doesn't exist at |Could not find (?:Chrom|Firefox|browser)/, "browsers"],
  [/Failed to launch the browser process/, "browsers"],
] as const;

/** One line, or nothing. */
export function elsewhereHint(error: unknown): string {
  const subject = subjectOf(error);
  if (subject === undefined) return "";
  try {
    call("access", SANDBOX, EXECUTABLE);
    const where = "in the VM's sandbox, with files in /sandbox";
    return `node: ${subject} do not run in a VM; ${where}: sandbox exec -- node ${scriptThere()}\n`;
  } catch (failure) {
    if (failure instanceof CallError) return "";
    throw failure;
  }
}

function subjectOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  try {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    const said = `${typeof code === "string" ? code : ""}\n${typeof message === "string" ? message : ""}`;
    return needs.find(([words]) => words.test(said.slice(0, MESSAGE_LIMIT)))?.[1];
  } catch {
    // A property may do anything.
    return undefined;
  }
}

/** The script as the sandbox has it; dots where it is not shared, or would need quotes. */
function scriptThere(): string {
  const script = facts.argv[1] ?? "";
  if (!/^[\w@%+=:,./-]+$/.test(script)) return "...";
  if (!script.startsWith("/")) return findShared(`${call("cwd")}/`) === undefined ? "..." : script;
  return findShared(script) ?? "...";
}

function findShared(path: string): string | undefined {
  const top = [MOUNT_POINT, WORKSPACE].find((place) => path.startsWith(place));
  return top && `${WORKSPACE}${path.slice(top.length)}`;
}

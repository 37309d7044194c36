import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type ConfinedHost, runConfined } from "./run-confined.ts";

/**
 * Nothing runs in it any more. It may hold directories that not even their owner can enter, and files of accounts that
 * only the sandbox's user namespace has. Links are removed, not followed. Not there: nothing happens.
 */
export async function removeTree(host: ConfinedHost, path: string): Promise<void> {
  await removeByCommand(path).catch(async () => {
    if (host.ids.mappers === undefined)
      await promisify(execFile)("chmod", ["-R", "u+rwx", "--", path]);
    else await removeConfined(host, path);
    await removeByCommand(path);
  });
}

/** rm(1) has done all it can when it fails; Node's goes on in the background. */
async function removeByCommand(path: string): Promise<void> {
  await promisify(execFile)("rm", ["-rf", "--", path]);
}

/** What is in it; the directory itself is in one of the server's. */
async function removeConfined(host: ConfinedHost, path: string): Promise<void> {
  const argv = ["find", "/a", "-mindepth", "1", "-delete"];
  await runConfined(host, { argv, directories: [path] });
}

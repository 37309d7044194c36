/** `dirs`, `pushd`, `popd`. */
import type { Shell } from "../state/shell.ts";
import { cd } from "./cd.ts";

export async function dirs(shell: Shell, words: readonly string[]): Promise<number> {
  if (words.includes("-c")) {
    shell.directoryStack.length = 0;
    return 0;
  }
  const isLong = words.includes("-l");
  const all = [shell.variables.get("PWD") ?? "/", ...shell.directoryStack].map((path) =>
    isLong ? path : shorten(shell, path),
  );
  if (words.includes("-v"))
    await shell.write(1, all.map((path, at) => `${String(at).padStart(2)}  ${path}\n`).join(""));
  else await shell.write(1, words.includes("-p") ? `${all.join("\n")}\n` : `${all.join(" ")}\n`);
  return 0;
}

export async function pushd(shell: Shell, words: readonly string[]): Promise<number> {
  const here = shell.variables.get("PWD") ?? "/";
  const [target] = words.slice(1).filter((word) => word !== "-n");
  if (target === undefined) {
    const top = shell.directoryStack.shift();
    if (top === undefined) {
      await shell.complain("pushd: no other directory");
      return 1;
    }
    shell.directoryStack.unshift(here);
    return go(shell, top);
  }
  const status = await cd(shell, ["cd", "--", target]);
  if (status !== 0) return status;
  shell.directoryStack.unshift(here);
  return dirs(shell, ["dirs"]);
}

export async function popd(shell: Shell, _words: readonly string[]): Promise<number> {
  const top = shell.directoryStack.shift();
  if (top === undefined) {
    await shell.complain("popd: directory stack empty");
    return 1;
  }
  return go(shell, top);
}

async function go(shell: Shell, path: string): Promise<number> {
  const status = await cd(shell, ["cd", "--", path]);
  return status === 0 ? dirs(shell, ["dirs"]) : status;
}

function shorten(shell: Shell, path: string): string {
  const home = shell.variables.get("HOME");
  if (home === undefined || (path !== home && !path.startsWith(`${home}/`))) return path;
  return `~${path.slice(home.length)}`;
}

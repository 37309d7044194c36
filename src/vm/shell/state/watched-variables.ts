/** Variables that change the shell when they are set or unset. */
import type { Shell } from "./shell.ts";

const names: ReadonlySet<string> = new Set([
  "BASH_COMPAT",
  "GLOBIGNORE",
  "IGNOREEOF",
  "POSIXLY_CORRECT",
]);

export function isWatched(name: string): boolean {
  return names.has(name);
}

/** To be called after a watched variable was set or unset. */
export function noticeChange(shell: Shell, name: string): void {
  const value = shell.variables.get(name);
  if (name === "BASH_COMPAT") {
    if (value !== undefined && !/^(?:3\.?[12]|4\.?[0-4]|5\.?[0-2])?$/.test(value))
      shell.notices.push(`BASH_COMPAT: ${value}: compatibility value out of range`);
    return;
  }
  if (name === "POSIXLY_CORRECT") shell.options.set("posix", value !== undefined);
  else if (name === "IGNOREEOF") shell.options.set("ignoreeof", value !== undefined);
  else if (value === undefined) shell.options.set("dotglob", false);
  else if (value !== "") shell.options.set("dotglob", true);
}

/** The variable that goes with an option that was just turned on or off. */
export function noticeOption(shell: Shell, option: string): void {
  const pair = { posix: ["POSIXLY_CORRECT", "y"], ignoreeof: ["IGNOREEOF", "10"] }[option];
  if (pair === undefined) return;
  const [name = "", value = ""] = pair;
  if (!shell.options.has(option)) shell.variables.unset(name);
  else if (shell.variables.get(name) === undefined) shell.variables.set(name, value);
}

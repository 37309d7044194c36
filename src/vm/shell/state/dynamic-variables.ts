/** Variables whose value is made when they are read, unless the user has set them. */
import type { Shell } from "./shell.ts";

/** A value that needs no call; undefined where the name is not one of these. */
export function findDynamic(shell: Shell, name: string): string | undefined {
  switch (name) {
    case "LINENO":
      return String(shell.line);
    case "RANDOM":
      return String(Math.floor(Math.random() * 32768));
    case "SRANDOM":
      return String(Math.floor(Math.random() * 4294967296));
    case "BASH_SUBSHELL":
      return String(shell.subshellDepth);
    case "FUNCNAME":
    case "BASH_LINENO":
    case "PIPESTATUS":
      return findDynamicArray(shell, name)?.[0];
    case "BASH_VERSION":
      return "5.2.15(1)-release";
    case "BASHOPTS":
    case "SHELLOPTS":
      return "";
    default:
      return shell.asked.get(name);
  }
}

/** The elements of a variable that is an array by nature. */
export function findDynamicArray(shell: Shell, name: string): readonly string[] | undefined {
  switch (name) {
    case "PIPESTATUS":
      return shell.pipeStatus.map(String);
    case "FUNCNAME":
      if (!shell.isInFunction) return undefined;
      return [
        ...shell.frames.map((frame) => frame.name).toReversed(),
        ...(shell.startLetters === "" ? ["main"] : []),
      ];
    case "BASH_LINENO":
      return shell.frames.map((frame) => String(frame.callLine)).toReversed();
    case "BASH_SOURCE":
      return shell.frames.map((frame) => frame.file).toReversed();
    case "BASH_VERSINFO":
      return ["5", "2", "15", "1", "release", "x86_64-pc-linux-gnu"];
    case "DIRSTACK":
    case "GROUPS":
    case "BASH_ARGV":
    default:
      return undefined;
  }
}

const fromKernel = /SECONDS|EPOCH|BASHPID|PPID|UID/;

/** Asks the kernel for what `text` may read, a name or arithmetic. Cheap when it reads nothing such. */
export async function askKernel(shell: Shell, text: string): Promise<void> {
  if (!fromKernel.test(text)) return;
  const { nowMs } = await shell.sys.clock();
  shell.asked.set("SECONDS", String(Math.floor((nowMs - shell.startedMs) / 1000)));
  shell.asked.set("EPOCHSECONDS", String(Math.floor(nowMs / 1000)));
  shell.asked.set("EPOCHREALTIME", (nowMs / 1000).toFixed(6));
  if (text.includes("BASHPID")) shell.asked.set("BASHPID", String(await shell.sys.getpid()));
  if (text.includes("PPID")) shell.asked.set("PPID", String(await shell.sys.getppid()));
  if (!text.includes("UID")) return;
  const { uid, euid } = await shell.sys.getcredentials();
  shell.asked.set("UID", String(uid));
  shell.asked.set("EUID", String(euid));
}

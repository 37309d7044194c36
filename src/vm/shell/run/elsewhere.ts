import type { Shell } from "../state/shell.ts";
import { findProgram } from "./find-command.ts";

/** What a VM does not have and a full Linux machine does, or can get. */
const names: ReadonlySet<string> = new Set([
  ...[
    "gcc",
    "g++",
    "cc",
    "c++",
    "clang",
    "clang++",
    "ld",
    "as",
    "gdb",
    "make",
    "cmake",
    "ninja",
    "meson",
  ],
  ...[
    "cargo",
    "rustc",
    "rustup",
    "go",
    "java",
    "javac",
    "mvn",
    "gradle",
    "ruby",
    "gem",
    "php",
    "perl",
  ],
  ...["python", "python2", "python3", "pip", "pip3", "uv", "poetry", "conda"],
  ...["apt", "apt-get", "dpkg", "yum", "dnf", "apk", "pacman", "brew"],
  ...["docker", "podman", "chromium", "chromium-browser", "google-chrome", "firefox", "ffmpeg"],
  ...["convert", "magick", "pandoc", "pdflatex", "psql", "mysql", "sqlite3", "redis-server"],
]);

/**
 * One line where the command that is not here could be run in the VM's sandbox; nothing where the VM has no
 * way to one. Nothing is started.
 */
export async function elsewhereHint(shell: Shell, name: string): Promise<string> {
  if (!names.has(name) || (await findProgram(shell, "sandbox")) === undefined) return "";
  return `${name}: not in this VM; in its sandbox, with files in /sandbox: sandbox exec -- ${name}`;
}

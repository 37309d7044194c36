/** What the shell says where the VM's sandbox could do what the VM cannot. Nothing is started. */
import { isKernelError, O_CLOEXEC, O_RDONLY } from "../../../kernel/index.ts";
import { quoteIfNeeded } from "../expansion/quote-text.ts";
import type { Shell } from "../state/shell.ts";
import { findProgram } from "./find-command.ts";

/** What a VM does not have and a full Linux machine often does. */
const names: ReadonlySet<string> = new Set(
  [
    "gcc g++ cc c++ clang clang++ ld as ar nm strip objdump readelf ldd gdb strace valgrind nasm gfortran",
    "make cmake ninja meson autoconf automake bison flex pkg-config cargo rustc rustup go java javac mvn gradle",
    "ruby gem bundle php composer perl lua R Rscript julia ghc ocaml elixir dotnet swift deno bun",
    "python python2 python3 pip pip3 uv poetry conda pytest git hg svn rsync openssl gpg",
    "apt apt-get dpkg yum dnf apk pacman brew sudo vi vim nano emacs tmux screen htop lsof",
    "docker podman chromium chromium-browser google-chrome firefox ffmpeg convert magick dot gnuplot",
    "pandoc pdflatex xelatex soffice libreoffice tesseract psql mysql sqlite3 redis-server redis-cli nginx 7z",
  ].flatMap((line) => line.split(" ")),
);

/** Where files are the sandbox's as well, by two names; it has the second one everywhere. */
const MOUNT_POINT = "/sandbox";
const WORKSPACE = "/workspace";
/** The first bytes of a program for Linux, see elf(5). */
const ELF = "\x7fELF";

/** One line for a command that is not here; nothing where the VM has no way to a sandbox. */
export async function missingHint(shell: Shell, name: string): Promise<string> {
  if (!names.has(name) || !(await hasSandbox(shell))) return "";
  return `${name}: not in this VM; its sandbox may have it, with files in ${MOUNT_POINT}: sandbox exec -- ${name}`;
}

/** One line for a file that is a program of a real Linux; nothing for others. */
export async function binaryHint(shell: Shell, path: string): Promise<string> {
  if (!(await hasSandbox(shell)) || !(await isElf(shell, path))) return "";
  const here = shell.variables.get("PWD") ?? "/";
  return `${quoteIfNeeded(path)}: a program for Linux itself; in the VM's sandbox: ${lineFor(path, here)}`;
}

/** How it is run there: from here, if both are in files that are shared, else by where the sandbox has it. */
function lineFor(path: string, here: string): string {
  const whole = resolve(here, path);
  const shared = findShared(whole);
  if (shared !== undefined && !path.startsWith("/") && findShared(`${here}/`) !== undefined) {
    return `sandbox exec -- ${quoteIfNeeded(path)}`;
  }
  if (shared !== undefined) return `sandbox exec -- ${quoteIfNeeded(shared)}`;
  const name = whole.slice(whole.lastIndexOf("/") + 1);
  return `cp ${quoteIfNeeded(path)} ${MOUNT_POINT} && sandbox exec -- ${quoteIfNeeded(`${WORKSPACE}/${name}`)}`;
}

/** A path as every sandbox has it; undefined for one that is the VM's alone. */
function findShared(path: string): string | undefined {
  const top = [MOUNT_POINT, WORKSPACE].find((place) => path.startsWith(`${place}/`));
  return top && `${WORKSPACE}${path.slice(top.length)}`;
}

function resolve(here: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${here}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

async function hasSandbox(shell: Shell): Promise<boolean> {
  return (await findProgram(shell, "sandbox")) !== undefined;
}

async function isElf({ sys }: Shell, path: string): Promise<boolean> {
  try {
    const fd = await sys.open(path, O_RDONLY | O_CLOEXEC);
    const head = new Uint8Array(ELF.length);
    try {
      await sys.read(fd, head);
    } finally {
      await sys.close(fd);
    }
    return String.fromCharCode(...head) === ELF;
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}

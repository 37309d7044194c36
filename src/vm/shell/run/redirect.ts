/**
 * Redirections. A plan says which fd is to be which open file; it is made by opening files at fds of
 * their own, then handed to a child as it starts, or put in place in this process and undone.
 */
import { encodeText, errnoWords, isKernelError } from "../../../kernel/index.ts";
import { expandText, expandWords } from "../expansion/word.ts";
import { assignElement, assignScalar, readElement } from "../state/assign.ts";
import type { FdAction, Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { splitElement } from "../state/variables.ts";
import type { Redirect, Word } from "../syntax/ast.ts";
import { openHereDocument } from "./here-document.ts";
import { openTarget } from "./open-target.ts";

/** Fds the shell keeps for itself start here, as in bash. */
const PRIVATE_FD = 10;

export class RedirectPlan {
  readonly #shell: Shell;
  /** For each fd its source: a fd of the shell, or closed. */
  readonly #sources = new Map<number, number | "closed">();
  /** Fds opened for the plan. */
  readonly #opened = new Set<number>();
  readonly #saved = new Map<number, number | "closed">();

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  /** Opens what the redirections name. Fails with a ShellError; then `close` is still to be called. */
  async open(redirects: readonly Redirect[]): Promise<void> {
    for (const redirect of redirects) await this.#openOne(redirect);
  }

  /** Takes fds that are open already into the plan; with `isOwned` the plan closes them. */
  adopt(actions: readonly FdAction[], isOwned = false): void {
    for (const action of actions) {
      if (!("from" in action)) {
        this.#sources.set(action.fd, "closed");
        continue;
      }
      this.#sources.set(action.fd, action.from);
      if (isOwned) this.#opened.add(action.from);
    }
  }

  get isEmpty(): boolean {
    return this.#sources.size === 0;
  }

  /** For a child about to start. */
  get actions(): FdAction[] {
    return [...this.#sources].map(([fd, from]) =>
      from === "closed" ? { fd, close: true } : { fd, from },
    );
  }

  /** Puts the plan in place in this process, keeping what was there. */
  async apply(): Promise<void> {
    const { sys } = this.#shell;
    await this.#clearTargets();
    for (const fd of this.#sources.keys()) {
      const isTaken = !this.#opened.has(fd) && (await this.#isOpen(fd));
      this.#saved.set(fd, isTaken ? await this.#copyAside(fd) : "closed");
    }
    for (const [fd, source] of this.#sources) {
      if (source === "closed") {
        if (await this.#isOpen(fd)) await sys.close(fd);
        continue;
      }
      const saved = this.#opened.has(source) ? undefined : this.#saved.get(source);
      const from = typeof saved === "number" ? saved : source;
      if (from === fd) await sys.fcntl(fd, { request: "F_SETFD", isCloseOnExec: false });
      else await sys.dup2(from, fd);
      if (from === fd) this.#opened.delete(fd);
    }
    await this.#closeOpened();
  }

  /** Moves what was opened at a fd that is to be something else. */
  async #clearTargets(): Promise<void> {
    for (const fd of [...this.#opened]) {
      if (!this.#sources.has(fd) || this.#sources.get(fd) === fd) continue;
      const moved = await this.#copyAside(fd);
      for (const [to, source] of this.#sources) if (source === fd) this.#sources.set(to, moved);
      await this.#shell.sys.close(fd);
      this.#opened.delete(fd);
      this.#opened.add(moved);
    }
  }

  /** A copy of a fd at a private one that the plan does not name. */
  async #copyAside(fd: number): Promise<number> {
    const { sys } = this.#shell;
    for (let least = PRIVATE_FD; ; least++) {
      const copy = await sys.dup(fd, least, true);
      if (!this.#sources.has(copy)) return copy;
      await sys.close(copy);
      least = copy;
    }
  }

  /** Undoes `apply`. */
  async restore(): Promise<void> {
    const { sys } = this.#shell;
    for (const [fd, saved] of this.#saved) {
      if (saved === "closed") {
        if (await this.#isOpen(fd)) await sys.close(fd);
        continue;
      }
      await sys.dup2(saved, fd);
      await sys.close(saved);
    }
    this.#saved.clear();
  }

  /** Makes what `apply` did last. */
  async keep(): Promise<void> {
    for (const saved of this.#saved.values())
      if (saved !== "closed") await this.#shell.sys.close(saved);
    this.#saved.clear();
  }

  /** Closes what was opened and not put in place. */
  async close(): Promise<void> {
    await this.#closeOpened();
  }

  async #closeOpened(): Promise<void> {
    for (const fd of this.#opened) await this.#shell.sys.close(fd);
    this.#opened.clear();
  }

  async #openOne(redirect: Redirect): Promise<void> {
    if (redirect.kind === "here") {
      const text = await expandText(this.#shell, redirect.body);
      const bytes = encodeText(redirect.isString ? `${text}\n` : text);
      await this.#put(redirect.fd ?? 0, this.#own(await openHereDocument(this.#shell, bytes)));
      return;
    }
    const { operator } = redirect;
    if (operator === ">&" || operator === "<&") return this.#duplicate(redirect);
    const path = await this.#path(redirect);
    const opened = this.#own(await openTarget(this.#shell, path, operator));
    if (operator === "&>" || operator === "&>>") {
      this.#sources.set(1, opened);
      this.#sources.set(2, opened);
      return;
    }
    await this.#put(redirect.fd ?? (operator.startsWith("<") ? 0 : 1), opened);
  }

  #own(fd: number): number {
    this.#opened.add(fd);
    return fd;
  }

  /** `{name}>file` keeps the file open at a fd of its own and tells it in the variable. */
  async #put(fd: number | string, source: number | "closed"): Promise<void> {
    if (typeof fd === "number") {
      this.#sources.set(fd, source);
      return;
    }
    const { sys } = this.#shell;
    if (source === "closed") {
      const named = Number(readNamed(this.#shell, fd) ?? "");
      if (await this.#isOpen(named)) await sys.close(named);
      return;
    }
    const element = splitElement(fd);
    const value = String(await sys.dup(source, PRIVATE_FD));
    if (element === undefined) assignScalar(this.#shell, fd, value);
    else assignElement(this.#shell, { ...element, value, isAppend: false });
  }

  /** POSIX mode neither splits the word nor looks for files. */
  async #path(redirect: Extract<Redirect, { kind: "file" }>): Promise<string> {
    const { options, isInteractive } = this.#shell;
    const isWhole = options.has("posix") && !isInteractive;
    const [path, ...more] = isWhole
      ? await expandWhole(this.#shell, redirect.target)
      : await expandWords(this.#shell, [redirect.target]);
    if (path === undefined || more.length > 0) {
      throw new ShellError(`${redirect.target.text}: ambiguous redirect`, "command");
    }
    return path;
  }

  /** `n>&m`, `n>&-`, `n>&m-`, and `>&file`. */
  async #duplicate(redirect: Extract<Redirect, { kind: "file" }>): Promise<void> {
    const word = await this.#path(redirect);
    const fd = redirect.fd ?? (redirect.operator === "<&" ? 0 : 1);
    if (word === "-") return this.#put(fd, "closed");
    const match = /^(\d+)(-?)$/.exec(word);
    if (match === null) {
      if (redirect.operator === "<&" || fd !== 1) {
        throw new ShellError(`${word}: ambiguous redirect`, "command");
      }
      const opened = this.#own(await openTarget(this.#shell, word, "&>"));
      this.#sources.set(1, opened);
      this.#sources.set(2, opened);
      return;
    }
    const wanted = Number(match[1]);
    const source = await this.#source(wanted);
    await this.#put(fd, source);
    if (match[2] === "-" && wanted !== fd) this.#sources.set(wanted, "closed");
  }

  /** What a fd is with the plan so far in place. Fails with EBADF's words. */
  async #source(fd: number): Promise<number> {
    const planned = this.#sources.get(fd);
    const isBad =
      planned === "closed" ||
      (planned === undefined && (this.#opened.has(fd) || !(await this.#isOpen(fd))));
    if (isBad) throw new ShellError(`${fd}: ${errnoWords("EBADF")}`, "command");
    return planned === undefined ? fd : planned;
  }

  async #isOpen(fd: number): Promise<boolean> {
    try {
      await this.#shell.sys.fcntl(fd, { request: "F_GETFD" });
      return true;
    } catch (error) {
      if (isKernelError(error, "EBADF")) return false;
      throw error;
    }
  }
}

/** The value of `name` or `name[index]`. */
function readNamed(shell: Shell, text: string): string | undefined {
  const element = splitElement(text);
  if (element === undefined) return shell.variables.get(text);
  return readElement(shell, element.name, element.index);
}

/** A word neither split nor globbed: none where nothing is left of it. */
async function expandWhole(shell: Shell, word: Word): Promise<string[]> {
  const text = await expandText(shell, word);
  return text === "" && !/["']/.test(word.text) ? [] : [text];
}

/** Runs `step` with the redirections in place; a redirection that fails is said and is status 1. */
export function withRedirects(
  shell: Shell,
  redirects: readonly Redirect[],
  step: () => Promise<number>,
): Promise<number> {
  return redirects.length === 0 ? step() : redirected(shell, redirects, step);
}

async function redirected(
  shell: Shell,
  redirects: readonly Redirect[],
  step: () => Promise<number>,
): Promise<number> {
  const plan = new RedirectPlan(shell);
  try {
    await plan.open(redirects);
    await plan.apply();
  } catch (error) {
    await plan.close();
    await plan.restore();
    if (!(error instanceof ShellError) || error.reach !== "command") throw error;
    await shell.complain(error.message);
    shell.hasRedirectFailed = true;
    return error.status;
  }
  try {
    return await step();
  } finally {
    await plan.restore();
  }
}

/** `set` options by letter and name, as bash has them. */
export const setOptions = [
  ["a", "allexport"],
  ["b", "notify"],
  ["e", "errexit"],
  ["f", "noglob"],
  ["h", "hashall"],
  ["k", "keyword"],
  ["m", "monitor"],
  ["n", "noexec"],
  ["p", "privileged"],
  ["t", "onecmd"],
  ["u", "nounset"],
  ["v", "verbose"],
  ["x", "xtrace"],
  ["B", "braceexpand"],
  ["C", "noclobber"],
  ["E", "errtrace"],
  ["H", "histexpand"],
  ["P", "physical"],
  ["T", "functrace"],
  [undefined, "emacs"],
  [undefined, "history"],
  [undefined, "ignoreeof"],
  [undefined, "interactive-comments"],
  [undefined, "nolog"],
  [undefined, "pipefail"],
  [undefined, "posix"],
  [undefined, "vi"],
] as const;

/** `shopt` options; those that change nothing here can still be set and asked for. */
export const shoptNames = [
  "autocd",
  "assoc_expand_once",
  "cdable_vars",
  "cdspell",
  "checkhash",
  "checkjobs",
  "checkwinsize",
  "cmdhist",
  "compat31",
  "compat32",
  "compat40",
  "compat41",
  "compat42",
  "compat43",
  "compat44",
  "complete_fullquote",
  "direxpand",
  "dirspell",
  "dotglob",
  "execfail",
  "expand_aliases",
  "extdebug",
  "extglob",
  "extquote",
  "failglob",
  "force_fignore",
  "globasciiranges",
  "globskipdots",
  "globstar",
  "gnu_errfmt",
  "histappend",
  "histreedit",
  "histverify",
  "hostcomplete",
  "huponexit",
  "inherit_errexit",
  "interactive_comments",
  "lastpipe",
  "lithist",
  "localvar_inherit",
  "localvar_unset",
  "login_shell",
  "mailwarn",
  "no_empty_cmd_completion",
  "nocaseglob",
  "nocasematch",
  "noexpand_translation",
  "nullglob",
  "patsub_replacement",
  "progcomp",
  "progcomp_alias",
  "promptvars",
  "restricted_shell",
  "shift_verbose",
  "sourcepath",
  "varredir_close",
  "xpg_echo",
] as const;

const onByDefault = [
  "braceexpand",
  "hashall",
  "interactive-comments",
  "checkwinsize",
  "cmdhist",
  "complete_fullquote",
  "extquote",
  "force_fignore",
  "globasciiranges",
  "globskipdots",
  "hostcomplete",
  "interactive_comments",
  "patsub_replacement",
  "progcomp",
  "promptvars",
  "sourcepath",
];

/** The options that are on. `set -o` names and `shopt` names are one space, as they do not clash. */
export class ShellOptions {
  readonly #on: Set<string>;

  constructor(on: Iterable<string> = onByDefault) {
    this.#on = new Set(on);
  }

  has(name: string): boolean {
    return this.#on.has(name);
  }

  set(name: string, isOn: boolean): void {
    if (name === "extdebug") for (const one of ["functrace", "errtrace"]) this.set(one, isOn);
    if (isOn && name === "vi") this.#on.delete("emacs");
    if (isOn && name === "emacs") this.#on.delete("vi");
    if (isOn) this.#on.add(name);
    else this.#on.delete(name);
  }

  /** The `set` options as text, for `local -`. */
  saved(): string {
    return setOptions
      .map((row) => row[1])
      .filter((name) => this.#on.has(name))
      .join(" ");
  }

  /** Puts the `set` options back as `saved` gave them. */
  restore(saved: string): void {
    const on = saved.split(" ");
    for (const [, name] of setOptions) this.set(name, on.includes(name));
  }

  copy(): ShellOptions {
    return new ShellOptions(this.#on);
  }

  /** `$-`, without the letters that stand for how the shell was started. */
  get letters(): string {
    return setOptions
      .filter(([letter, name]) => letter !== undefined && this.#on.has(name))
      .map(([letter]) => letter)
      .join("");
  }
}

/** The name for a `set` letter. */
export function findSetOption(letter: string): string | undefined {
  return setOptions.find((row) => row[0] === letter)?.[1];
}

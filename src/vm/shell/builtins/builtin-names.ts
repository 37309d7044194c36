/** The builtins' names, apart from the builtins so that some of these may ask. */
const names = new Set([
  ".",
  ":",
  "[",
  "alias",
  "bg",
  "bind",
  "break",
  "builtin",
  "caller",
  "cd",
  "command",
  "compgen",
  "complete",
  "compopt",
  "continue",
  "declare",
  "dirs",
  "disown",
  "echo",
  "enable",
  "eval",
  "exec",
  "exit",
  "export",
  "false",
  "fc",
  "fg",
  "getopts",
  "hash",
  "help",
  "history",
  "jobs",
  "kill",
  "let",
  "local",
  "logout",
  "mapfile",
  "popd",
  "printf",
  "pushd",
  "pwd",
  "read",
  "readarray",
  "readonly",
  "return",
  "set",
  "shift",
  "shopt",
  "source",
  "suspend",
  "test",
  "times",
  "trap",
  "true",
  "type",
  "typeset",
  "ulimit",
  "umask",
  "unalias",
  "unset",
  "wait",
]);

/** Sorted. */
export function builtinNames(): readonly string[] {
  return [...names].toSorted();
}

export function isBuiltinName(name: string): boolean {
  return names.has(name);
}

const special = new Set(
  ". : break continue eval exec exit export readonly return set shift source times trap unset".split(
    " ",
  ),
);

/** POSIX's special builtins: their errors end a POSIX shell, assignments before them stay. */
export function isSpecialBuiltin(name: string): boolean {
  return special.has(name);
}

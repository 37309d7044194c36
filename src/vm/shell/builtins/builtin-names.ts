/** The builtins' names, apart from the builtins so that some of these may ask. */
const names = new Set([
  ":", ".", "[", "alias", "bg", "break", "builtin", "cd", "command", "continue", "declare", "dirs", "disown",
  "echo", "eval", "exec", "exit", "export", "false", "fg", "getopts", "hash", "jobs", "kill", "let", "local",
  "mapfile", "popd", "printf", "pushd", "pwd", "read", "readarray", "readonly", "return", "set", "shift", "shopt",
  "source", "test", "times", "trap", "true", "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait",
]);

export function isBuiltinName(name: string): boolean {
  return names.has(name);
}

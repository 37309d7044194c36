/** What `help` says: for each name its synopsis and, in our words, what it does. */
export const helpTexts: ReadonlyMap<string, readonly [synopsis: string, summary: string]> = new Map(
  [
    ["!", ["! PIPELINE", "Succeeds where the pipeline fails."]],
    ["%", ["job_spec [&]", "Moves a job to the foreground, or with & to the background."]],
    ["((", ["(( expression ))", "Evaluates arithmetic; succeeds where the value is not 0."]],
    [".", [". filename [arguments]", "Runs the commands of a file in this shell."]],
    [":", [":", "Does nothing and succeeds."]],
    ["[", ["[ arg... ]", "Evaluates a condition; as test, with a closing ]."]],
    ["[[", ["[[ expression ]]", "Evaluates a condition without word splitting."]],
    ["alias", ["alias [-p] [name[=value] ... ]", "Defines or shows aliases."]],
    ["bg", ["bg [job_spec ...]", "Lets stopped jobs run in the background."]],
    [
      "bind",
      [
        "bind [-lpsvPSVX] [-m keymap] [-f filename] [-q name] [-u name] [-r keyseq] [-x keyseq:shell-command] [keyseq:readline-function or readline-command]",
        "Shows or sets the line editor's keys and settings.",
      ],
    ],
    ["break", ["break [n]", "Leaves a loop, or n of them."]],
    [
      "builtin",
      ["builtin [shell-builtin [arg ...]]", "Runs a builtin even if a function has its name."],
    ],
    ["caller", ["caller [expr]", "Shows where the running function was called."]],
    [
      "case",
      [
        "case WORD in [PATTERN [| PATTERN]...) COMMANDS ;;]... esac",
        "Runs the commands of the first pattern that matches.",
      ],
    ],
    ["cd", ["cd [-L|[-P [-e]] [-@]] [dir]", "Changes the working directory."]],
    [
      "command",
      [
        "command [-pVv] command [arg ...]",
        "Runs a command without looking for functions, or tells what it is.",
      ],
    ],
    [
      "compgen",
      [
        "compgen [-abcdefgjksuv] [-o option] [-A action] [-G globpat] [-W wordlist] [-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix] [word]",
        "Shows what a completion would offer.",
      ],
    ],
    [
      "complete",
      [
        "complete [-abcdefgjksuv] [-pr] [-DEI] [-o option] [-A action] [-G globpat] [-W wordlist] [-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix] [name ...]",
        "Says how the arguments of commands are completed.",
      ],
    ],
    [
      "compopt",
      ["compopt [-o|+o option] [-DEI] [name ...]", "Changes the options of a completion."],
    ],
    ["continue", ["continue [n]", "Goes on with the next round of a loop, or of the n-th around."]],
    [
      "coproc",
      ["coproc [NAME] command [redirections]", "Runs a command with a pipe at either end."],
    ],
    [
      "declare",
      [
        "declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]",
        "Sets or shows variables and their attributes.",
      ],
    ],
    ["dirs", ["dirs [-clpv] [+N] [-N]", "Shows the stack of directories."]],
    ["disown", ["disown [-h] [-ar] [jobspec ... | pid ...]", "Forgets jobs."]],
    ["echo", ["echo [-neE] [arg ...]", "Writes its arguments, with blanks between them."]],
    [
      "enable",
      ["enable [-a] [-dnps] [-f filename] [name ...]", "Turns builtins on and off, or lists them."],
    ],
    ["eval", ["eval [arg ...]", "Runs its arguments as one command."]],
    [
      "exec",
      [
        "exec [-cl] [-a name] [command [argument ...]] [redirection ...]",
        "Replaces the shell by a command, or makes redirections last.",
      ],
    ],
    ["exit", ["exit [n]", "Ends the shell with status n."]],
    ["export", ["export [-fn] [name[=value] ...] or export -p", "Hands variables on to commands."]],
    ["false", ["false", "Does nothing and fails."]],
    [
      "fc",
      [
        "fc [-e ename] [-lnr] [first] [last] or fc -s [pat=rep] [command]",
        "Shows, edits or repeats commands of the history.",
      ],
    ],
    ["fg", ["fg [job_spec]", "Moves a job to the foreground."]],
    ["for", ["for NAME [in WORDS ... ] ; do COMMANDS; done", "Runs commands for each word."]],
    [
      "for ((",
      ["for (( exp1; exp2; exp3 )); do COMMANDS; done", "Runs commands while arithmetic holds."],
    ],
    ["function", ["function name { COMMANDS ; } or name () { COMMANDS ; }", "Defines a function."]],
    [
      "getopts",
      ["getopts optstring name [arg ...]", "Takes the next option of a script's arguments."],
    ],
    [
      "hash",
      ["hash [-lr] [-p pathname] [-dt] [name ...]", "Remembers or shows where programs are."],
    ],
    ["help", ["help [-dms] [pattern ...]", "Tells about the shell's own commands."]],
    [
      "history",
      [
        "history [-c] [-d offset] [n] or history -anrw [filename] or history -ps arg [arg...]",
        "Shows or changes the history.",
      ],
    ],
    [
      "if",
      [
        "if COMMANDS; then COMMANDS; [ elif COMMANDS; then COMMANDS; ]... [ else COMMANDS; ] fi",
        "Runs commands where others succeed.",
      ],
    ],
    ["jobs", ["jobs [-lnprs] [jobspec ...] or jobs -x command [args]", "Shows the jobs."]],
    [
      "kill",
      [
        "kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]",
        "Sends a signal to processes or jobs.",
      ],
    ],
    ["let", ["let arg [arg ...]", "Evaluates arithmetic."]],
    ["local", ["local [option] name[=value] ...", "Makes variables of the running function."]],
    ["logout", ["logout [n]", "Ends a login shell."]],
    [
      "mapfile",
      [
        "mapfile [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]",
        "Reads lines into an array.",
      ],
    ],
    ["popd", ["popd [-n] [+N | -N]", "Takes a directory off the stack."]],
    ["printf", ["printf [-v var] format [arguments]", "Writes its arguments as a format says."]],
    ["pushd", ["pushd [-n] [+N | -N | dir]", "Puts a directory on the stack."]],
    ["pwd", ["pwd [-LP]", "Shows the working directory."]],
    [
      "read",
      [
        "read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]",
        "Reads a line into variables.",
      ],
    ],
    [
      "readarray",
      [
        "readarray [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]",
        "Reads lines into an array.",
      ],
    ],
    [
      "readonly",
      [
        "readonly [-aAf] [name[=value] ...] or readonly -p",
        "Makes variables and functions unchangeable.",
      ],
    ],
    ["return", ["return [n]", "Leaves a function or a sourced file with status n."]],
    [
      "select",
      ["select NAME [in WORDS ... ;] do COMMANDS; done", "Lets the user choose from a menu."],
    ],
    [
      "set",
      [
        "set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]",
        "Sets options and positional parameters, or shows variables.",
      ],
    ],
    ["shift", ["shift [n]", "Drops the first n positional parameters."]],
    ["shopt", ["shopt [-pqsu] [-o] [optname ...]", "Sets or shows the shell's options."]],
    ["source", ["source filename [arguments]", "Runs the commands of a file in this shell."]],
    ["suspend", ["suspend [-f]", "Stops the shell until it is continued."]],
    ["test", ["test [expr]", "Evaluates a condition."]],
    ["time", ["time [-p] pipeline", "Tells how long a pipeline takes."]],
    ["times", ["times", "Shows the processor time used."]],
    [
      "trap",
      ["trap [-lp] [[arg] signal_spec ...]", "Says what to run on signals and other events."],
    ],
    ["true", ["true", "Does nothing and succeeds."]],
    ["type", ["type [-afptP] name [name ...]", "Tells what a name would run."]],
    [
      "typeset",
      [
        "typeset [-aAfFgiIlnrtux] name[=value] ... or typeset -p [-aAfFilnrtux] [name ...]",
        "Sets or shows variables and their attributes.",
      ],
    ],
    ["ulimit", ["ulimit [-SHabcdefiklmnpqrstuvxPRT] [limit]", "Shows or sets limits."]],
    ["umask", ["umask [-p] [-S] [mode]", "Shows or sets which permissions new files lack."]],
    ["unalias", ["unalias [-a] name [name ...]", "Removes aliases."]],
    ["unset", ["unset [-f] [-v] [-n] [name ...]", "Removes variables and functions."]],
    ["until", ["until COMMANDS; do COMMANDS-2; done", "Runs commands until others succeed."]],
    [
      "variables",
      ["variables - Names and meanings of some shell variables", "PATH, HOME, PS1 and the like."],
    ],
    ["wait", ["wait [-fn] [-p var] [id ...]", "Waits for jobs and tells their status."]],
    ["while", ["while COMMANDS; do COMMANDS-2; done", "Runs commands while others succeed."]],
    ["{", ["{ COMMANDS ; }", "Runs commands as a group."]],
  ],
);

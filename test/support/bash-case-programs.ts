// The three commands that the bash cases have on their PATH, see ../shared/conformance/shell/README.md.
// Each is a script for the VM's own bash, so that every entry point can have it as a file. `-p` keeps
// the options and functions that a case exports out of it.

/** Where they are; every VM has it in its PATH. */
const DIRECTORY = "/usr/local/bin";

/** As Python 3 shows bytes, without the `b`. */
const argv = `#!/bin/bash -p
LC_ALL=C
shown=()
for text; do
  quote="'"
  [[ $text == *"'"* && $text != *'"'* ]] && quote='"'
  part=
  for ((at = 0; at < \${#text}; at++)); do
    byte=\${text:at:1}
    case $byte in
      \\\\ | "$quote") part+=\\\\$byte ;;
      $'\\n') part+='\\n' ;;
      $'\\t') part+='\\t' ;;
      $'\\r') part+='\\r' ;;
      [[:print:]]) part+=$byte ;;
      *)
        printf -v code '\\\\x%02x' "'$byte"
        part+=$code
        ;;
    esac
  done
  shown+=("$quote$part$quote")
done
printf -v list '%s, ' "\${shown[@]}"
((\${#shown[@]})) || list=
printf '[%s]\\n' "\${list%, }"
`;

const printenv = `#!/bin/bash -p
for name; do
  printenv -- "$name" || echo None
done
`;

const stdoutStderr = `#!/bin/bash -p
printf '%s\\n' "\${1-STDOUT}"
printf '%s\\n' "\${2-STDERR}" >&2
exit "\${3-0}"
`;

/** To be made executable. */
export const casePrograms: readonly { readonly path: string; readonly text: string }[] = [
  { path: `${DIRECTORY}/argv.py`, text: argv },
  { path: `${DIRECTORY}/printenv.py`, text: printenv },
  { path: `${DIRECTORY}/stdout_stderr.py`, text: stdoutStderr },
];

// Scripts on stdin: bash reads a command, runs it, and reads on from where that command has left off.
import { type Behaviour, withInput } from "../behaviour.ts";

const INTERACTIVE = { terminal: "on a terminal this bash is an interactive one, with a prompt" };

/** See the deviation in src/vm/shell/script-input.ts. */
const READS_LINES = { file: "bash reads a file ahead, and goes back only for read and processes" };

/** Scripts for `bash` without arguments. Where stderr is no terminal, bash is no interactive one. */
function asScript(input: string, ...scripts: readonly string[]): Behaviour[] {
  const commands = scripts.length === 0 ? ["bash", "bash 2> err; cat err"] : scripts;
  return commands.flatMap((script) =>
    withInput(input, [script], script.includes("2> err") ? {} : { skips: INTERACTIVE }),
  );
}

const plain = [
  ...asScript("echo a\necho b\n"),
  ...asScript(
    "echo a\necho b\n",
    "sh",
    "bash -s x y",
    "bash -c bash",
    "bash -x",
    "bash -n; echo $?",
  ),
  ...withInput("echo a\necho b\n", [
    "source /dev/stdin",
    ". /dev/stdin; echo $?",
    "bash /dev/stdin",
    "bash <(cat)",
    'eval "$(cat)"',
    "bash < other; cat",
  ]),
  ...asScript('echo "$# $1"\n', "bash -s one two", "bash - one", "sh -s -- -x"),
  ...asScript("echo no end"),
  ...asScript("", "bash; echo $?"),
  ...withInput("", ["source /dev/stdin; echo $?"]),
  ...asScript("exit 3\necho not reached\n", "bash; echo $?", "bash 2> err; echo $?"),
  ...asScript("echo one\nexec cat\nrest\nof it\n"),
  ...asScript("set -e\nfalse\necho not reached\n", "bash; echo $?"),
  ...asScript("echo here\nif then\necho after\n", "bash; echo $?"),
  ...asScript("echo 'open\nquote'\necho 'never closed\n", "bash; echo $?"),
  ...asScript("echo one \\\ntwo\nfor i in 1 2\ndo\n  echo $i\ndone\nf() {\n  echo f\n}\nf\n"),
  ...asScript("alias hi='echo hello'\nshopt -s expand_aliases\nhi\nalias hi='echo bye'\nhi\n"),
];

const lines = [
  ...withInput("exit 3\necho not reached\n", ["bash; echo $?; cat"]),
  ...withInput('mapfile -n 2 -t a\n1\n2\necho "${a[@]}"\n', ["bash"]),
  ...withInput('exec 3<&0\nread -u 3 a\nline\necho "[$a]"\n', ["bash"]),
].map((one) => ({ ...one, skips: INTERACTIVE, differs: READS_LINES }));

const hereDocuments = [
  ...asScript("cat <<E\nx\ny\nE\necho z\n"),
  ...asScript("cat <<E\nx\ny\nE\necho z\n", "sh"),
  ...withInput("cat <<E\nx\ny\nE\necho z\n", ["source /dev/stdin"]),
  ...asScript("cat <<A; cat <<-B\na\nA\n\tb\n\tB\necho $?\n", "bash"),
  ...asScript("while read l; do echo \"[$l]\"; done <<'E'\n$a\n`b`\nE\ncat <<< word\n"),
  ...asScript("cat <<E\nno end\n", "bash; echo $?"),
];

const REST = 'read line\nthe line\necho "got $line"\ncat\nleft over\nand more\n';

const readers = [
  ...asScript(REST),
  ...withInput(REST, ["source /dev/stdin"]),
  ...asScript('while read l; do echo "[$l]"; done\n1\n2\n3\n'),
  ...asScript('read -n 3 a\nabcecho "[$a]"\n', "bash"),
  ...asScript("read -d ';' a\nx\ny;echo \"[$a]\"\n", "bash"),
  ...asScript("select x in a b; do echo $x; break; done\n2\necho after\n"),
  ...asScript("head -n 1\nechoed\necho after\n"),
  ...asScript("head -c 4\nabc\necho after\n"),
  ...asScript('(read a; echo "sub $a")\nline\necho after\n'),
  ...asScript("x=$(cat)\nall\nthe rest\n", "bash; echo $?"),
  ...asScript("cat < /dev/null\ncat &\nwait\necho after\n", "bash"),
  ...asScript("echo first\nexec < other\necho not reached\n", "bash; echo $?"),
  ...asScript("echo 'echo from other' > s\nexec < s\necho not reached\n"),
  ...asScript("bash\necho inner\nread x\ny\necho $x\n", "bash"),
  ...asScript("cat <&-\necho $?\n"),
  ...asScript("exec 0<&-\necho not reached\n", "bash; echo $?"),
  ...asScript("awk 'NR == 1 { print \"awk\", $0; exit }'\nline\n", "bash"),
];

const open = withInput("echo a\nexit 4\n", ["bash; echo $?", "sh; echo $?"], {
  staysOpen: true,
  skips: INTERACTIVE,
});

const long = withInput({ seq: 2000 }, ["(read a; echo $a; bash 2> /dev/null; echo $?)"], {
  skips: { terminal: "a terminal holds 4096 bytes that nobody has read" },
});

export const scripts: readonly Behaviour[] = [
  ...plain,
  ...lines,
  ...hereDocuments,
  ...readers,
  ...open,
  ...long,
];

/** zgrep, zdiff, zcmp and zless: programs for texts, with gzip before them. Each is a script of ours. */
import { encodeText, type Program } from "../../../kernel/index.ts";
import { writeAll } from "../output.ts";

/** Options and the pattern come first; each file is searched under its own name. */
const search = `
options=() files=() pattern= has= count=
while (($#)); do
  case $1 in
  --) shift; break ;;
  -[ABCDdm]) options+=("$1" "$2"); shift ;;
  -e | -f) options+=("$1" "$2"); has=1; shift ;;
  -e?* | -f?* | --regexp=* | --file=*) options+=("$1"); has=1 ;;
  -h | -H | --no-filename | --with-filename) count=$1 ;;
  -?*) options+=("$1") ;;
  *) if [[ -z $has ]]; then options+=(-e "$1"); has=1; else files+=("$1"); fi ;;
  esac
  shift
done
if [[ -z $has ]]; then
  if (($# == 0)); then
    echo 'Usage: zgrep [OPTION]... [-e] PATTERN [FILE]...' >&2
    echo "Try 'zgrep --help' for more information." >&2
    exit 2
  fi
  options+=(-e "$1"); shift
fi
files+=("$@")
if ((\${#files[@]} == 0)); then gzip -cdfq - | PROGRAM "\${options[@]}"; exit \${PIPESTATUS[1]}; fi
status=1
for file in "\${files[@]}"; do
  named=()
  if [[ $count == -H || $count == --with-filename ]] || { ((\${#files[@]} > 1)) && [[ -z $count ]]; }; then named=(-H); fi
  gzip -cdfq -- "$file" | PROGRAM --label="$file" "\${named[@]}" "\${options[@]}" -
  found=("\${PIPESTATUS[@]}")
  if ((found[0] == 1 || found[1] > 1)); then status=2
  elif ((found[1] == 0 && status == 1)); then status=0; fi
done
exit $status
`;

const compare = `
options=()
while (($#)); do
  case $1 in --) shift; break ;; -?*) options+=("$1"); shift ;; *) break ;; esac
done
case $# in
0) echo 'NAME: invalid number of operands; try \`NAME --help'"'"' for help' >&2; exit 2 ;;
1) PROGRAM "\${options[@]}" <(gzip -cdfq -- "$1") "\${1%[-.][zZtga]*}" ;;
2) PROGRAM "\${options[@]}" <(gzip -cdfq -- "$1") <(gzip -cdfq -- "$2") ;;
*) echo 'NAME: invalid number of operands; try \`NAME --help'"'"' for help' >&2; exit 2 ;;
esac
`;

const page = `if (($# == 0)); then gzip -cdfq | PROGRAM; else gzip -cdfq -- "$@" | PROGRAM; fi`;

interface Tool {
  readonly script: string;
  readonly program: string;
  readonly help: string;
}

const tools: ReadonlyMap<string, Tool> = new Map([
  ["zgrep", { script: search, program: "grep", help: "Search compressed files with grep." }],
  ["zegrep", { script: search, program: "grep -E", help: "Search compressed files with grep -E." }],
  ["zfgrep", { script: search, program: "grep -F", help: "Search compressed files with grep -F." }],
  ["zdiff", { script: compare, program: "diff", help: "Compare compressed files with diff." }],
  ["zcmp", { script: compare, program: "cmp", help: "Compare compressed files with cmp." }],
  ["zless", { script: page, program: "less", help: "Show compressed files with less." }],
  ["zmore", { script: page, program: "less", help: "Show compressed files with less." }],
]);

export const main: Program = async (sys, argv) => {
  const name = (argv[0] ?? "").replace(/^.*\//s, "");
  const tool = tools.get(name);
  if (tool === undefined) return 127;
  if (argv[1] === "--help" || argv[1] === "--version") {
    const text =
      argv[1] === "--help"
        ? `Usage: ${name} [OPTION]... [FILE]...\n${tool.help}\nOptions are those of ${tool.program}; files need not be compressed.\n`
        : `${name} (agentOS MCP) 0.1.0\n`;
    await writeAll(sys, 1, encodeText(text));
    return 0;
  }
  const script = tool.script.replaceAll("PROGRAM", tool.program).replaceAll("NAME", name);
  const env = await sys.environ();
  return sys.exec({ path: "/bin/bash", argv: ["bash", "-c", script, name, ...argv.slice(1)], env });
};

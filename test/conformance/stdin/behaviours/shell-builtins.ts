// read, mapfile and select: bash takes from stdin what they need and leaves the rest to whoever reads next.
import { type Behaviour, withInput } from "../behaviour.ts";

const LINES = "one\ntwo\nthree\n";

const NO_LINES = {
  terminal: "read takes the terminal out of line mode, where no end can be typed",
};

const read = [
  ...withInput(LINES, [
    'read a; echo "[$a]"; cat',
    'while read l; do echo "[$l]"; done; echo $?',
    'read a; read b; read c; read d; echo "$? $a $b $c [$d]"',
    'read; echo "[$REPLY]"; cat',
    'read -n 2 a; echo "[$a]"; read b; echo "[$b]"',
    'read -n 10 a; echo "[$a]"; read b; echo "[$b]"',
    'read -N 6 a; echo "[$a]"; read b; echo "[$b]"',
    'read -n 1 a; read -n 1 b; read c; echo "[$a] [$b] [$c]"',
    'read -n 0 a; echo "$? [$a]"; cat',
    'read -d w a; echo "[$a]"; read b; echo "[$b]"',
    'read -t 20 a; echo "$? [$a]"; cat',
    "read a; read -t 0; echo $?; cat",
    'exec 3<&0; read -u 3 a; read b; echo "[$a] [$b]"; cat <&3',
    "read -u 0 a; echo [$a]; cat",
    'read -r -a words; echo "${#words[@]} ${words[0]}"; cat',
    'read -s a; echo "[$a]"; cat',
    'read -p "name? " a; echo "[$a]"; cat',
    '(read a; echo "sub $a"); read b; echo "[$b]"',
    '{ read a; read b; } ; echo "[$a] [$b]"; cat',
    'f() { read x; echo "f $x"; }; f; f; cat',
    'x=$(read a; echo "$a"); echo "[$x]"; cat',
    'read a < other; read b; echo "[$a] [$b]"; cat',
    'read a <&0; echo "[$a]"; cat <&0',
    'read a; exec < other; read b; echo "[$a] [$b]"; cat',
    'exec 3<&0 < other; read a; read b <&3; echo "[$a] [$b]"; cat <&3; cat',
    'exec 3<&0 0<&-; read a; echo $?; read b <&3; echo "[$b]"',
    'read a <&-; echo $?; read b; echo "[$b]"',
    'bash -c \'read a; echo "inner $a"\'; read b; echo "[$b]"; cat',
    'read a <<< here; read b; echo "[$a] [$b]"',
    [
      'read a < <(cat); echo "[$a]"; cat',
      { skips: { terminal: "two processes read the terminal at the same time" } },
    ],
    'echo piped | { read a; echo "[$a]"; }; cat',
  ]),
  ...withInput(
    LINES,
    [
      'read -n 2 a; echo "[$a]"; cat',
      'read -N 6 a; echo "[$a]"; cat',
      'read -N 100 a; echo "$? [$a]"',
      'read -d w a; echo "[$a]"; cat',
      'read -d x a; echo "$? [$a]"',
    ],
    { skips: NO_LINES },
  ),
  ...withInput("a b  c\\\nd e\\tf\n  lead\n", [
    'while read x y; do echo "[$x] [$y]"; done',
    'while read -r x y; do echo "[$x] [$y]"; done',
    'while IFS= read -r l; do echo "[$l]"; done',
  ]),
  ...withInput("a;b;c\nd", [
    ['while read -d ";" x; do echo "[$x]"; done; echo "left [$x]"', { skips: NO_LINES }],
    'IFS=";" read -r x y; echo "[$x] [$y]"; cat',
    'read a; read b; echo "$? [$b]"',
    'while read l || [ -n "$l" ]; do echo "[$l]"; done',
  ]),
  ...withInput("", [
    'read a; echo "$? [$a]"',
    'read -t 20 a; echo "$? [$a]"',
    ['read -N 3 a; echo "$? [$a]"', { skips: NO_LINES }],
  ]),
  ...withInput("", ['read -t 0.05 a; echo "$? [$a]"', "read -t 0; echo $?"], { staysOpen: true }),
  ...withInput("now\n", ['read a; echo "[$a]"; read -t 0.05 b; echo "$? [$b]"'], {
    staysOpen: true,
  }),
  ...withInput({ seq: 3000 }, ["n=0; while read l; do n=$((n + l)); done; echo $n"], {
    skips: { terminal: "a terminal holds 4096 bytes that nobody has read" },
  }),
];

const mapfile = [
  ...withInput(LINES, [
    'mapfile a; printf "[%s]" "${a[@]}"; echo',
    'mapfile -t a; printf "[%s]" "${a[@]}"; echo',
    'mapfile -n 1 a; printf "[%s]" "${a[@]}"; cat',
    'mapfile -t -s 1 -n 1 a; printf "[%s]\\n" "${a[@]}"; cat',
    'mapfile -t -d e a; printf "[%s]" "${a[@]}"; echo',
    'mapfile -t -u 0 a; echo "${#a[@]}"',
    'mapfile -t -C "echo each" -c 1 a; echo "${#a[@]}"',
    'exec 3<&0; mapfile -n 2 -u 3 a; echo "${#a[@]}"; cat',
    'mapfile -t -O 2 a; echo "${!a[@]}"',
    'readarray -t -n 2 a; read b; echo "${a[*]} [$b]"',
  ]),
  ...withInput("no end", ['mapfile a; printf "[%s]" "${a[@]}"; echo']),
  ...withInput("", ['mapfile a; echo "$? ${#a[@]}"']),
];

const select = [
  ...withInput("2\nrest\n", [
    'select x in a b c; do echo "got $x $REPLY"; break; done; cat',
    'PS3="which? "; select x in a b; do echo "$x"; break; done; read y; echo "[$y]"',
  ]),
  ...withInput("9\n\n1\n", [
    'select x in a b; do echo "[$x] [$REPLY]"; [ -n "$x" ] && break; done',
  ]),
  ...withInput("", ['select x in a b; do echo "$x"; done; echo $?']),
];

const loops = withInput(LINES, [
  'while read l; do echo "[$l]"; cat > /dev/null; done',
  'while read l; do echo "[$l]"; head -n 1; done',
  'while read l; do echo "[$l]"; cat < /dev/null; done',
  'while read l <&3; do echo "[$l]"; cat; done 3< other',
  "while read l; do bash -c 'read x; echo \"$x\"'; done",
  'while read l; do echo "$l"; done | sort',
  'until ! read l; do echo "[$l]"; done < other; cat',
  'for i in 1 2; do read l; echo "$i $l"; done; cat',
]);

export const shellBuiltins: readonly Behaviour[] = [...read, ...mapfile, ...select, ...loops];

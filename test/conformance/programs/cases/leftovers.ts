import type { Scripts } from "../../recorded-case.ts";

export const scripts: Scripts = {
  bash: [
    '[[ abcd =~ ab|abcd ]]; echo $? "${BASH_REMATCH[@]}"',
    "[[ 'a)' =~ a\\) ]]; echo $?; p='a)'; [[ 'a)' =~ $p ]]; echo $?; p='*a'; [[ a =~ $p ]]; echo $?; p='a{1'; [[ a =~ $p ]]; echo $?; p='a{x}'; [[ a =~ $p ]]; echo $?; p='(a'; [[ a =~ $p ]]; echo $?",
    "p='a**'; [[ aa =~ $p ]]; echo $? \"$BASH_REMATCH\"; p='^*a'; [[ a =~ $p ]]; echo $?; p='()'; [[ a =~ $p ]]; echo $?; p='a||b'; [[ b =~ $p ]]; echo $? \"$BASH_REMATCH\"; p='(|a)'; [[ a =~ $p ]]; echo \"$? $BASH_REMATCH ${#BASH_REMATCH[@]}\"",
    "[[ foobar =~ (foo|foob)(ar|bar) ]]; declare -p BASH_REMATCH; [[ aXbXc =~ ([a-z])X([a-z]) ]]; declare -p BASH_REMATCH; [[ abc =~ (x)?b ]]; declare -p BASH_REMATCH",
    "[[ \"$(printf 'a\\nb')\" =~ ^b$ ]]; echo $?; [[ \"$(printf 'a\\nb')\" =~ a.b ]]; echo $?; [[ 'a b' =~ [[:space:]] ]]; echo $?; [[ ab12 =~ [[:digit:]]+$ ]]; echo \"$BASH_REMATCH\"; shopt -s nocasematch; [[ ABC =~ b(C) ]]; declare -p BASH_REMATCH",
    "p='[[:foo:]]'; [[ a =~ $p ]]; echo $?; p='[z-a]'; [[ a =~ $p ]]; echo $?; p='a{2,1}'; [[ a =~ $p ]]; echo $?; p='a{40000}'; [[ a =~ $p ]]; echo $?; p='(a)\\2'; [[ a =~ $p ]]; echo $?; [[ aa =~ (a)\\1 ]]; echo $?; p='a\\'; [[ a =~ $p ]]; echo $?",
  ],
  csplit: [
    "seq 20 | csplit - '/1\\|5/' '{2}'; head xx*; seq 3 | csplit - '/\\(/'; seq 3 | csplit - '/[a/'; seq 3 | csplit - '/2**/'; seq 3 | csplit - '/9/'",
  ],
  cut: [
    "printf 'abcdef\\nxy\\n\\nq' > f; cut -b2-3,5 f; cut -c1,3- f; cut -b2-3,5 --output-delimiter=: f; cut -b1-2,3 --output-delimiter=: f; cut --complement -b2 f; cut -b-2 f f; cut -z -b1 f | od -c; cut -b9- f; cut -b1,1,2-4,3-5 --output-delimiter=- f; cut -b 5,1 f; cut -b1 nofile f",
    "cut -b1 </dev/null; printf '\\n' | cut -b1; printf 'a' | cut -b2; printf 'a\\0b\\0' | cut -zc1; cut -b1 .; seq 30000 | cut -c2-4,6 --output-delimiter=, | cksum; seq -s ' ' 30000 | cut -c20-100,65530-65540,100000- --output-delimiter=, | cksum; seq -s ' ' 30000 | tr -d '\\n' | cut -c65537 ",
  ],
  diff: [
    "printf 'a\\nb\\n' > x; printf 'a\\nc\\n' > y; diff -I 'b\\|c' x y; echo $?; diff -I '[b' x y; echo $?; diff -I '\\(' x y; diff -I 'b**' x y; diff -F '^a' -u0 x y | tail -n +3",
  ],
  expr: [
    "expr abcd : 'ab\\|abcd'; expr abcd : '\\(ab\\|abcd\\)'; expr \"$(printf 'a\\nb')\" : 'a$'; expr \"$(printf 'a\\nb')\" : '.*b'; expr aaa : 'a**'; expr '*a' : '*a'; expr é : '.*'; expr é : '\\(.\\)'",
    "expr ab : '\\(a\\)\\(b\\)'; expr ab : '\\(x\\)*ab'; expr a : '\\('; expr a : 'a\\{'; expr a : '[b'; expr a : '\\1'; expr aa : '\\(a\\)\\1'; expr 'a\\' : 'a\\'",
  ],
  find: [
    "mkdir d; touch d/ab d/abcd d/x1; find d -regex 'd/\\(ab\\|abcd\\)' | sort; find d -regextype posix-extended -regex 'd/[a-z]+[0-9]?' | sort; find d -regex '.*\\(a' ; find d -regex '[a'; find d -iregex 'D/AB.*' | sort; find d -regex '.*b+.*' | sort; find d -regex '.*b\\{1\\}'; find . -regextype posix-extended -regex '*a'; find . -regextype posix-extended -regex 'a{1'",
    "mkdir q; cd q; touch a1 'a]' ':]' 'b+' b bb 'b{1}' 'a?';  find . -regex './a[[:digit:]]'; find . -regex './b\\{1\\}'; find . -regex './b{1}';  find . -regex './b\\+'; find . -regex './b+' | sort; find . -regex './[a+]?.'|sort; find . -regextype ed -regex './b\\{1\\}'; find . -regextype grep -regex './b\\+' | sort",
  ],
  grep: [
    "seq 20 | grep -1 -2 10; seq 30 | grep -12 15 | wc -l; seq 20 | grep -1 10; seq 20 | grep -c -1 10; seq 20 | grep -1n 10; seq 20 | grep -A1 -2 10",
  ],
  hexdump: ["printf '\\0\\1\\2\\21\\22\\177\\200aZ' | hexdump -e '9/1 \" %3_u\" \"\\n\"'"],
  jq: [
    "jq -n '1/0'; echo $?; jq -n '.a | 1/0'; jq -n '1/0.0'; jq -n '1 / 0 + 2'; jq -n '(1)/0';  jq -n '1/(0)'; jq -n '0/0'; jq -n '.[1/0]'; jq -n '10/2/0'; jq -n 'def f: 1/0; f'; jq -n '\"a\"/\"b\"' -c; jq -n '1/(1-1)'; jq -n '(1+1)/0'; jq -n '[1,0]|.[0]/.[1]'; jq -n '1%0'; jq -n 'try (1/0) catch .'; jq -n '6/3'",
  ],
  nl: [
    "printf 'ab\\ncd\\nabcd\\n' | nl -bp'ab\\|cd$'; printf 'a\\n' | nl -bp'\\('; printf 'a\\n' | nl -bp'[a'; printf '*a\\naa\\n' | nl -bp'^*a'; printf '\\xff\\n' | nl -bp'^.$'",
  ],
  patch: [
    "printf 'a\\n' > f; printf -- '--- f\\n+++ f\\n@@ -1 +1 @@\\n-a\\n+b\\n' > p; patch --merge < p; echo $?; cat f; patch -D X < p; echo $?; cat f",
  ],
  pgrep: [
    "sleep 5 & pgrep -x 'sle|sleep' >/dev/null; echo $?; pgrep '*a'; echo $?; pgrep '(a'; echo $?; kill %1",
  ],
  rev: [
    "printf 'ab\\0cd\\nef\\n' | rev | od -c; printf 'ab\\0cd' | rev | od -c;  printf '\\0cd\\nx\\n' | rev | od -c; printf 'ab\\0x\\n' | rev | od -c; printf 'a\\0\\nb\\0\\nc\\n' | rev | od -c",
  ],
  seq: [
    "seq -w 0003; seq -w 08 10; seq -w 003 -1 1; seq -w 1 .3 2; seq -w 0 .30 02; seq -.0 -.25 -1; seq -w 1e1; seq -w 1e2 1e2 3e2; seq 1.5e0 3; seq -w 1 1e-1 1.2; seq 5. 6; seq -w 5. 6.; seq -w .5 2; seq -w -1 2; seq -w +1 +10; seq 0x10 0x12; seq -w 0x8 0xa; seq -w -.5 1",
    "seq 0 -0; seq -0 1; seq 1e3 1e3; seq -s, 1.10 1.13; seq 1 0.5 2; seq 3 1; seq -w 10 -5 -10; seq 1e21 1e21; seq 10 1e1; seq -w 1.0 3; seq 1 3.00; seq -w 1 3.00; seq -w 1.25e1 14",
    "seq -1 -1 -3; seq -f %g -- -2; seq 1 -1 inf; seq nan; seq a; seq '' ; seq 1 0 2; seq ' 3'; seq 1e-2 .01 .03; seq -w 0.1e1 3",
  ],
  shred: [
    "echo hello > ab; shred -v ab; wc -c < ab; shred -vzn1 ab; shred -vu ab; ls ab; printf x > f; shred -n0 -v f; od -c f; shred -x -z -n0 f; od -c f; printf x > f; shred -z -n 0 f;  wc -c f; shred -n1 -s 10 f; wc -c f",
    "shred nofile; echo $?; shred; echo $?; shred .; echo $?; printf x > f; shred -n x f; shred -s x f; : > e; shred -v e; shred -u e; ls e; shred -n0 -s 2K f; wc -c <f; shred --remove=foo f; echo x > f; shred -u --remove=unlink -v f;  echo x > longname; shred -u -n1 -v longname; echo x>lo; shred -v --random-source=/dev/zero -n1 lo; od -c lo",
    "mkdir d; echo x > d/ab; shred -vun1 d/ab; ls d; echo x > r; shred -n1 a b",
  ],
  tac: [
    "printf 'a1b22c333d' | tac -rs '[0-9]*'; echo; printf 'a1b22c333d' | tac -rs '[0-9][0-9]*'; echo; printf 'a1b22c333' | tac -rbs '[0-9]\\+'; echo; printf 'ax\\nbx\\n' | tac -rs 'x$'; printf 'a\\nb\\nc\\n' | tac -rs '^b'; printf 'axxbxxc' | tac -rs 'x*'; echo; printf 'ab' | tac -rs '\\(' ; printf ab | tac -rs '[a'; printf 'abab' | tac -rs '\\(a\\)b'",
    "printf 'a,b,,c' | tac -s ,; echo; printf 'a,b,,c,' | tac -s ,; echo; printf 'a,b,,c' | tac -bs ,; echo; printf ',a,b' | tac -bs,; echo; printf '\\n\\na\\n\\n' | tac; printf 'aXXXb' | tac -s XX; echo; printf 'aXXXb' | tac -bs XX",
    "printf 'a1b2c' | tac -rs '[[:digit:]]'; printf 'a1b2c' | tac -rs '[0-9]+'; printf 'abbc' | tac -rs 'b\\{1\\}';  printf 'a1b' | tac -rs '\\w'; [[ a =~ [:alpha:] ]]; echo $?; expr a : '[:alpha:]'; printf 'a+b+c' | tac -rs '\\+'; printf 'a++b' | tac -rs '+'",
  ],
  tar: [
    "touch abc; tar cf - --transform='s/a\\|ab/X/' abc | tar tf -; tar cf - --transform='s/\\(b\\)\\|bc/[\\1]/g' abc | tar tf -;  tar cf - --transform='s/[/X/' abc | tar tf -",
  ],
  test: [
    "/usr/bin/test x -eq 1; echo $?; /usr/bin/test 1 -eq; echo $?; /usr/bin/test -f; echo $?; /usr/bin/test a b; echo $?; /usr/bin/test a b c; echo $?; /usr/bin/[ a; echo $?; /usr/bin/[ 1 -eq x ]; echo $?; /usr/bin/test \\( a; echo $?; /usr/bin/test a = b c; echo $?; /usr/bin/test ! ; echo $?",
    "env test x -lt 1; env [ x -lt 1 ]; env test -n a -a; env test '(' ')'; env test a -foo b; env test -x; env test a -o; env test 1 2 3 4 5; env test -t x; env test 99999999999999999999 -gt 1; echo $?; env test -z a -q b",
    "env test -a /; echo $?; env test a '<' b; echo $?; env test -l ab -eq 2; echo $?; env test 3 -eq -l abc; echo $?; env test ' 3 ' -eq +3; echo $?; env test -q x; echo $?; env test \\( 1 = 1 \\) -a \\( 2 = 3 -o ! x \\); echo $?; env test \\( 1 = 1 x; echo $?; env test \\( 1 \\; echo $?",
    "env test ! ! x; echo $?; env test ! -f / ; echo $?; env test ! a = a; echo $?; env test a -a b -o ''; echo $?; env test '' -o ''; echo $?; env test / -ef /; echo $?; env test -o; echo $?; env test -f -a -d; echo $?; env test ''; env test; echo $?; env [ ]; echo $?; env test -N /; env test '(' '' ')'; echo $?; env test '!' '(' a ')'; echo $?; env test '(' a = b ')'; echo $?; env test '(' '(' a ')' ')'; echo $?; env test 1 -eq 1 -a; echo $?",
    "touch -d 2000-01-01 o; touch n; env test n -nt o; echo $?; env test o -nt n; echo $?; env test o -ot n; echo $?; env test nofile -ot n; echo $?; env test -s o; echo $?; env test -L o; echo $?; env test -x /bin/sh; echo $?; env test -t 0; echo $?; env test -v HOME; echo $?; env test -R x; echo $?; env test -é x; echo $?; env test -ff x; echo $?",
  ],
  time: [
    "/usr/bin/time -p false 2>&1 | tr -d 0-9; env time -q -f q false; echo $?; command time -f 'x %% %C %x %z %Q \\n\\t|\\q' sh -c 'exit 3' a; echo $?; env time -o o1 -f hi true; cat o1; env time -a -o o1 -f ho true; cat o1",
    "env time; echo $?; env time -f 1 sh -c 'kill -9 $$'; echo $?; env time --foo true; echo $?; env time -p -o ./nodir/x true; echo $?; env time -f '' true; env time -f n /; echo $?; TIME='env %x' env time true; env time -f n nosuch; echo $?",
  ],
  wc: [
    "head -c 12345678 /dev/zero | wc; printf 'a\\n' > f; wc f - < f; head -c 12345678 /dev/zero > z; cat z | wc - f; wc < z; wc z f; cat z | wc -lc",
  ],
  who: [
    "users; who; who -q; who -H; who -uH; who -HT; who -z; who a b c; users a b; who -b; who am i; w -h; who --count; who -aH; who -dH; who -lH",
  ],
  xz: [
    "echo hi | xz -F xz | xz -dc -F auto; echo plain > p; xz -dcf p; xz -dcf < p; xz -dc p; echo hi | xz -T0 -6e | xz -dc; echo hi | xz --check=crc32 -v 2>/dev/null | xz -dcq; xzcat -f p; printf '' | xz -dcf; echo $?; printf ab | xz -dcf; echo $?",
    "echo hi | xz -F foo; echo $?; echo hi | xz -C foo; echo $?; echo hi > q; xz -S .foo q; ls q*; xz -d q.foo; xz -d -S .foo q.foo; ls q*; xz q; xz -df q.xz; ls q*; echo hi | xz -S ''; echo $?; echo hi | xz --best | xz -dQ",
  ],
};

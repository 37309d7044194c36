import type { Scripts } from "../../recorded-case.ts";

export const scripts: Scripts = {
  sort: [
    "printf 'apple 3\\nbanana 1\\ncherry 2\\n' > f; sort -k2,2n f | head -1 | cut -d' ' -f1; awk '{print $2}' f | paste -sd+ | bc; cut -d' ' -f2 f | sort -rn | xargs; tr 'a-z' 'A-Z' < f | tee up | wc -l; diff f up | head -2; sort f | uniq -c | sort -rn | sed 's/^ *//'; tail -n +2 f | nl -w1 -s'. '",
    "printf 'b\\na\\nb\\nc\\na\\nb\\n' | sort | uniq -c | sort -k1,1nr -k2 | head -2; printf 'b\\na\\nb\\n' | sort -u | tr '\\n' ',' | sed 's/,$/\\n/'; printf 'the cat the dog\\n' | tr -s ' ' '\\n' | sort | uniq -c | sort -nr | awk '{print $2\"=\"$1}'; printf 'k=v;a=b' | tr ';' '\\n' | while IFS== read -r k v; do echo \"$v:$k\"; done; echo; seq 1 10 | paste - - - - -; seq 10 | split -l 3 - part_ && wc -l part_* && cat part_* | md5sum",
    "printf 'name,age\\nbob,30\\namy,25\\n' > d.csv; sort -t, -k1,1 d.csv -o d2.csv; comm -12 <(sort d.csv) d2.csv | wc -l; paste -d: <(cut -d, -f2 d.csv) <(cut -d, -f1 d.csv); wc -l < d.csv; grep -c , d.csv; nl -ba -s, -w1 d.csv | head -2",
    "sort nothere; cut -f1 nothere; uniq nothere; tac nothere; nl nothere; od nothere; paste nothere; join nothere x",
    "cat /etc/nope /dev/null; ls /nope /dev/null; cat - < /dev/null; cat /dev/null | wc -l; sort /dev/null; uniq /dev/null; head -1 /dev/null; paste /dev/null /dev/null",
    "touch c b a; ls --s; ls --c; sort --re /dev/null; sort --r; chmod --re; du --t",
  ],
  find: [
    "mkdir -p src/a src/b; echo 'int x;' > src/a/x.c; echo '// y' > src/b/y.h; touch src/b/z.o; find src -name '*.[ch]' | sort | xargs wc -l; find src -type f ! -name '*.o' -print0 | sort -z | xargs -0 -I{} basename {}; find src -type f | sed 's/.*\\.//' | sort | uniq -c; find src -mindepth 1 -maxdepth 1 -type d -printf '%f\\n' | sort; find . -type f -name '*.o' -delete -print",
    'mkdir -p src/a src/b; find src -type f -exec sh -c \'echo "$(basename "$1" .c)"\' _ {} \\; | sort; du -a --apparent-size -b src/a/x.c; tar cf - src | tar tf - | sort',
    "echo 'hello' > 'file with spaces.txt'; echo w > $'tab\\tname'; echo q > \"quote'd\"; echo d > -dash; ls; ls -1 | cat -A; wc -c ./*; cp -- -dash ok; rm -- -dash; for f in *; do printf '[%s]\\n' \"$f\"; done; find . -type f -print0 | sort -z | xargs -0 ls -1; find . -name '* *'; stat -c '%n %s' *; md5sum 'file with spaces.txt' | cut -d' ' -f1; mv 'file with spaces.txt' \"new name\"; ls -Q; head -n1 *",
    "touch -d '2020-01-01' a; touch -d '2021-01-01' b; touch -d '2022-01-01' c; ls -t | head -1; ls -tr | head -1; ls -t1 --time-style=long-iso -lgG | awk 'NR>1{print $4, $NF}'; find . -newer a -type f | sort; find . -newer b -type f; [ a -ot b ] && echo older; stat -c '%y' a | cut -d' ' -f1; touch -r a d",
  ],
  xargs: [
    "seq 100 | head -n 20 | tail -n 5 | tac | paste -sd' '; seq 100 | sed -n '10,12p;50q'; seq 5 | awk '{s+=$1} END {print s}'; seq 3 | xargs -I{} touch f{}.txt; ls f*.txt | wc -l; ls | xargs -n1 basename -s .txt; seq 0 5 20; seq -w 8 11",
    "numfmt < /dev/null; xargs < /dev/null; xargs -r < /dev/null; tee < /dev/null; rev /dev/null; csplit /dev/null 1; echo $?; cmp /dev/null /dev/null; diff /dev/null /dev/null",
  ],
  tr: [
    "seq -s, 5; seq 5 -2 1 | tr '\\n' ' '; echo; seq -f 'n%03g' 3; printf '%s\\n' {a..c}{1..2} | column -c 20; printf '%s\\n' 10 9 8 | sort -n | head -1; yes x | head -3 | uniq -c; printf 'a\\nb\\n' | cat -n | tr -s ' '",
    "printf 'x\\0y\\0z\\0' > z; tr '\\0' '\\n' < z; xargs -0 -n1 echo < z; sort -rz z | tr '\\0' ' '; head -z -n1 z | od -An -c; tail -z -n1 z | od -An -c; cut -z -c1 z | od -An -c; uniq -z z | wc -c; grep -z y z | od -An -c",
    "printf 'x\\0y\\0z\\0' > z; sed -z 's/y/Y/' z | tr '\\0' ' '; paste -zs z | od -An -c; wc -c z; comm -z z z | od -An -c; shuf -z -n0 z | wc -c; sort -z z | uniq -zc | tr '\\0' '\\n'; tac -s '' z | od -An -c; fold -w1 z | head -c 3 | od -An -c",
  ],
  date: [
    "date -u -d '2024-02-29 12:34:56' '+%F %T %j %U %a %b %e'; date -u -d @86400 +%s; date -u -d '2024-01-31 +1 month' +%F; date -u -d 'last day' +%F >/dev/null; echo $?; date -u -d '2024-03-10 - 10 days' +%F; date -u -d '1 jan 2020' -I; date -u -d '2020-01-01T00:00:00Z' --rfc-3339=seconds; date -u -d '2020-01-01' -R; date -u -d bad; echo $?; date -u +%Q; date -u -d '2020-01-01' '+%10Y|%-d|%_d|%^a|%#Z|%:z|%N' | sed 's/0*$//'; date --bogus; echo $?; date -d; echo $?; date +%F +%T; echo $?; date -u -d '2020-06-15 13:00' '+%I %p %l %k %P'; date -u -r missing; echo $?; touch -d '2001-02-03 04:05:06' f; date -u -r f '+%F %T'; date -u -f - +%F <<< $'2020-01-01\\n2020-01-02'; date -u -d '2020-01-01 12:00 UTC+2' +%T; date -u -d 'TZ=\"America/New_York\" 2020-01-01 00:00' +%T; date -u --date='2020-12-31' +%G-W%V-%u",
  ],
  tail: [
    "printf 'name,age\\nbob,30\\namy,25\\n' > d.csv; head -1 d.csv; tail -n +2 d.csv | sort -t, -k2n; cut -d, -f1 d.csv | tail -n+2 | sort; awk -F, 'NR>1{print $1\" is \"$2}' d.csv; column -s, -t d.csv; sed 1d d.csv | cut -d, -f2 | paste -sd+ | bc; join -t, <(tail -n+2 d.csv | sort) <(printf 'amy,x\\nbob,y\\n'); tr ',' '\\t' < d.csv | expand -t 8",
    "printf 'line1\\nline2\\nline3\\n' > f; head -n -1 f; tail -n 1 f; sed -n 2p f; tail -c 6 f; head -c 5 f; echo; tail -n +2 f | head -n 1; cat f f | uniq | wc -l; wc -l f | cut -d' ' -f1",
  ],
  nl: [
    "printf 'x\\0y\\0z\\0' > z; nl z | od -An -c | head -2; cat -A z; strings -n1 z; rev z | od -An -c",
    "printf '\\377\\376bad\\n\\303\\251ok\\n' > u; nl u | od -An -tx1; head -c3 u | od -An -tx1; tac u | od -An -tx1; expand u | od -An -tx1; od -c u; base64 u; xxd u; strings -n 2 u",
    "printf 'line1\\nline2\\nline3\\n' > f; nl -b a f | tail -1; sed '$!d' f; tac f | head -1; awk 'END{print NR}' f; split -n l/2 f s_; head s_*; cat < f > g; cmp f g && echo same",
  ],
  paste: [
    "printf '\\377\\376bad\\n\\303\\251ok\\n' > u; grep -c ok u; sed 's/bad/good/' u | od -An -tx1; awk '{print length($0)}' u; paste u u | od -An -tx1; join u u | od -An -tx1; fmt u | od -An -tx1; column u | od -An -tx1; printf '%s' $'\\377' | od -An -tx1",
    "printf 'line1\\nline2\\nline3\\n' > f; tee -a g < f >/dev/null; cat g | wc -l; dd if=f bs=6 skip=1 count=1 2>/dev/null; od -An -c -N5 f; csplit -s f 2; cat xx01 | head -1; paste f f | head -1; cut -c5 f | paste -sd,",
  ],
  tee: [
    "printf '\\377\\376bad\\n\\303\\251ok\\n' > u; ls $'\\377x'; touch $'\\377x'; ls | od -An -c; ls -b; ls -Q; rm $'\\377x'; tee t2 < u | md5sum; md5sum t2",
  ],
  stat: [
    "mkdir -p a/b/c; cd a; pwd | sed 's|.*/||'; cd b/..; basename \"$PWD\"; mkdir -m 700 priv; stat -c '%A %n' priv; ln -s ../a self; ls -ld self | sed 's/.* self/self/'; readlink self; [ -L self ] && echo link; [ -d self ] && echo dir; test -e nope || echo none; cp -r b bb; ls -R; rmdir bb/c bb; ls; touch f; [ f -nt b ]; echo $?; chmod 000 f; stat -c %a f; rm -f f; mv b ../; ls .. ; install -d x/y/z && find x; rm -rf x; ls -A; du --apparent-size -s . >/dev/null; echo $?",
    "touch -d '2020-01-01' a; touch -d '2021-01-01' b; touch -d '2022-01-01' c; stat -c %Y a d | uniq | wc -l; find . -type f -printf '%TY %f\\n' | sort; ls -l --time-style=+%Y a | awk '{print $6}'; cp -p a e; stat -c %y e; cp a g; [ g -nt a ] && echo newer; mv a h",
  ],
  cut: [
    "echo 'one two  three' | cut -d' ' -f3; echo 'one two  three' | tr -s ' ' | cut -d' ' -f3; echo \"a:b:c\" | cut -d: -f2-; echo abc | rev; echo abc | fold -w1 | tac | tr -d '\\n'; echo; echo 'x=1' | cut -d= -f2; echo abc | od -An -tx1 | tr -d ' \\n'; echo; echo -n abc | wc -c",
    "mkdir d; cut -f1 d; uniq d; tac d; nl d; od d; paste d; diff d d; touch d",
  ],
  expr: [
    "echo abc | sha1sum | head -c 8; echo; echo 'a b c' | xargs -n1 | tac | xargs; echo 'Hello' | tr '[:upper:][:lower:]' '[:lower:][:upper:]'; printf '%05.1f\\n' 3.14159; printf '%s,' a b c; echo; printf '%-10s|%5s|\\n' ab cd; expr length 'hello world'; expr substr hello 1 3",
  ],
  base64: [
    "echo $((16#ff)); numfmt --to=iec 1048576; factor 60; echo 'abc' | base64 | base64 -d; basename /a/b.tar.gz .tar.gz; dirname /a/b/c; echo 'a,b;c' | tr ',;' '\\n\\n'",
  ],
  comm: [
    "printf 'line1\\nline2\\nline3\\n' > f; echo x >> g; cmp f g; echo $?; diff f g; comm -13 f g; truncate -s 5 g; cat g; echo; : > g; [ -s g ] || echo empty",
    "comm nothere x; diff nothere x; stat nothere; touch nodir/x; mkdir nodir/x; rmdir nothere; ln nothere x; readlink -v nothere",
    "comm /dev/null /dev/null; join /dev/null /dev/null; nl /dev/null; tac /dev/null; cut -f1 /dev/null; tr a b < /dev/null; fold /dev/null; fmt /dev/null",
  ],
  fold: [
    "printf 'line1\\nline2\\nline3\\n' > f; fold -w3 f | head -3; rev f | head -1; shuf -n1 f | wc -l; sort -R f | wc -l",
  ],
  cp: [
    "cp nothere x; mv nothere x; rm nothere; ls nothere; cat nothere; head nothere; tail nothere; wc nothere",
    "mkdir d; cp d x; mv d d/e; rm d; cat d; head d; tail d; wc d; sort d",
    "mkdir d; grep x d; sed p d; echo hi > d; cp /dev/null d; ls d; mv d d; rmdir d d; truncate -s 0 d",
    "cp /dev/null n; wc -c n; dd if=/dev/null 2>/dev/null; head -c 5 /dev/zero | od -An -tx1; stat -c %F /dev/null /dev/zero",
    "touch c b a; ls -t; ls -tr; touch z y; ls -Xt z y; cp --no; cp --re a b",
    "touch f; cp --context=x f g; cp --context f g2; cp -Z f g3; install --context=x f h; install --preserve-context f h2",
  ],
  chmod: [
    "chmod 600 nothere; du nothere; find nothere; tee nodir/x < /dev/null; dd if=nothere; split nothere; fold nothere; expand nothere",
    "mkdir d; wc -c d; chmod +x d; test -x d; echo $?",
  ],
  fmt: [
    "fmt nothere; base64 nothere; md5sum nothere; xxd nothere; strings nothere; iconv nothere; column nothere; shuf nothere",
  ],
  tsort: [
    "tsort nothere; truncate -s1 nodir/x; install nothere x; cmp nothere x; sum nothere; cksum nothere; unexpand nothere; rev nothere",
  ],
  csplit: ["csplit nothere 1; numfmt --field=1 < nothere; echo $?"],
  xxd: [
    "od /dev/null; xxd /dev/null; base64 /dev/null; md5sum /dev/null; cksum /dev/null; sum /dev/null; wc /dev/null; split /dev/null",
  ],
  column: [
    "ls; column /dev/null; expand /dev/null; strings /dev/null; iconv /dev/null; shuf /dev/null; tsort /dev/null; factor < /dev/null",
  ],
  pr: [
    "printf 'a\\tb\\001\\200c\\n' > f; pr -t f; pr -te f; pr -te4 f; pr -teX4 f; pr -tc f; pr -tv f",
    "printf 'a\\tb\\001\\200c\\n' > f; pr -tcv f",
    "printf 'a       b        c\\n' > f; pr -ti f | cat -A; pr -ti4 f | cat -A; pr -tiX4 f | cat -A; pr -t -i f | cat -A; pr --output-tabs=4 -t f | cat -A",
    "printf 'a\\tb\\n' > f; pr -t --expand-tabs f; pr -t --expand-tabs=3 f; pr -t --show-control-chars f; pr -t --show-nonprinting f; pr -te f f | cat -A; pr -tex f; echo $?",
    "printf 'a\\tb\\n' > f; pr -tix f; echo $?; pr -te4x f; echo $?",
    "printf '\\033[1m\\177x\\n' > f; pr -tv f; pr -tc f; printf 'a\\bb\\n' | pr -tc; printf '\\tx\\n' | pr -t -2 -w 20 | cat -A; seq 6 | pr -t -3 -w 30 | cat -A; seq 6 | pr -t -3 -w 30 -i | cat -A",
  ],
  iconv: [
    "iconv --bogus; echo $?; iconv -f nope -t utf8 /dev/null; echo $?; iconv -f utf8 -t latin1 missing; echo $?; iconv -f; echo $?",
  ],
  mkdir: [
    "mkdir --context=x d; mkdir --context d2; mkdir -Z d3; mkfifo --context=x p; mkfifo -Z p2; mknod --context=x n p",
  ],
  install: ["install -Z f h3; ls; mkdir --con; mknod --c n2 p; chgrp --from=x y z"],
  env: [
    "env --ignore-signal=PIPE true; env --default-signal true; env --ignore-signal=BAD true; echo $?; env --block-signal=INT true; env --list-signal-handling true; env --list-signal-handling --ignore-signal=INT true",
    "env --ignore-signal=INT sh -c 'kill -INT $$; echo alive'; env --default-signal=INT sh -c 'kill -INT $$; echo alive'; echo $?; touch e; csplit e 5; echo $?; csplit e /x/; echo $?",
  ],
};

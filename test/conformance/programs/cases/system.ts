import type { Scripts } from "../../recorded-case.ts";

export const scripts: Scripts = {
  chgrp: [
    "mkdir d; touch d/a; chgrp -R $(id -g) d; echo $?; ln -s nope l; chown $(id -u) l; chown -h $(id -u) l; echo $?; chown -f nouser f; echo $?",
  ],
  chown: [
    "chown; chown x; chown nouser f; chown :nogrp f; touch f; chown $(id -u) f; chown $(id -u):$(id -g) f; echo $?; chown --reference=nope f; chown --bad",
  ],
  dd: [
    "printf 'abcdefghij' > f; dd if=f of=g bs=2 count=2 status=none; cat g; echo; dd if=f bs=3 skip=1 count=1 status=none; echo; dd if=f bs=3 2>&1 >/dev/null | head -2",
    "printf 'abcdefghij' > f; dd if=f of=g bs=4 status=noxfer; dd if=f of=g conv=notrunc seek=12 bs=1 status=noxfer; od -c g",
    "printf 'abcdefghij' > f; dd if=f conv=ucase status=none; echo; dd if=f conv=swab status=none; echo; printf 'ABC' | dd conv=lcase status=none; echo",
    "printf 'abc' | dd ibs=2 obs=4 status=noxfer; echo; printf 'abc' | dd bs=2 conv=sync status=noxfer | od -c",
    "dd if=nope; dd foo; dd foo=1; dd bs=x; dd bs=0 ; dd conv=foo; dd status=foo; dd conv=lcase,ucase; dd --bad",
    "dd if=/dev/zero bs=1k count=4 2>&1 >/dev/null | head -2; dd if=/dev/zero bs=10 count=1 of=f status=noxfer; dd if=/dev/zero of=f bs=1M count=1 status=noxfer; stat -c %s f",
    "printf 'abcdefghij' > f; dd if=f iflag=skip_bytes skip=3 bs=2 count=1 status=none; echo; dd if=f iflag=count_bytes count=5 status=none; echo; dd if=f count=3B status=none; echo; dd if=f bs=1 skip=20 status=noxfer",
    "printf 'abcdefghij' > f; dd of=f bs=1 seek=3 conv=notrunc status=none <<< XY; cat f; dd if=/dev/null of=f bs=1 seek=4 status=noxfer; cat f; dd if=f of=f2 conv=excl status=none; dd if=f of=f2 conv=excl; dd if=f of=f3 conv=nocreat; echo $?",
    "yes | dd bs=100 count=3 iflag=fullblock status=noxfer | wc -c; printf 12345 | dd oflag=append conv=notrunc of=f status=none; printf 6 | dd oflag=append conv=notrunc of=f status=none; cat f",
    "printf 'a\\nbb\\nccc\\n' | dd cbs=4 conv=block status=none; echo; printf 'a   bb  ccc ' | dd cbs=4 conv=unblock status=none",
    "printf 12345 > f; dd if=f bs=1 count=3 status=none; dd if=f bs=2 skip=1 status=none; echo",
    "dd if=/dev/zero of=f bs=1024 count=2 status=none; wc -c < f; dd if=/dev/zero of=f bs=1k seek=3 count=1 conv=notrunc status=none; wc -c < f",
    "printf abcdefgh | dd bs=3 count=2 iflag=fullblock status=none; echo; printf abc | dd of=out status=none; cat out; echo",
    "dd bs=1k count=0 of=f status=noxfer; ls -l f | cut -c1; dd if=f of=nodir/x; echo $?",
    "printf 'hello' > f; dd if=f of=f2 conv=ucase,swab status=none; cat f2; echo; dd if=f ibs=1 obs=5 status=noxfer",
    "dd count=x; dd skip=-1; dd bs=1kk; dd bs=2x2 count=1 if=/dev/zero status=noxfer | wc -c; dd iflag=foo; dd oflag=bar",
    "echo hi | dd bs=512 2>/dev/null; printf '12345' | dd skip=1 bs=2 2>/dev/null; echo; dd if=/dev/null 2>&1 | head -2",
  ],
  df: [
    "df nope; echo $?; df --output=foo; df -t nosuchtype; echo $?; df --output=target / | head -1; df -h / | head -1 | tr -s ' '; df -k / | head -1| tr -s ' '; df -P / | head -1| tr -s ' ';  df -i / | head -1| tr -s ' '; df --bad",
    "df . nope 2>&1 >/dev/null; df --output=source,target . | head -1; df --output=pcent . | head -1; df -h --output=size,used . | head -1; df -T . | head -1 | tr -s ' '; df --total . | tail -1 | cut -d' ' -f1; df -x nosuch . | head -1 | tr -s ' '",
  ],
  du: [
    "printf 12345 > f; du -b f; du --apparent-size -h f; du --apparent-size -BK f; du -B1 --apparent-size f; du --apparent-size -k f; du -bc f f; du -0b f | od -c; du -b --time-style=+%Y --time f | cut -f1,3; du -bl f f",
    "mkdir d; printf 1 > d/a.txt; printf 22 > d/b.c; du -ab --exclude='*.c' d | grep -v 'd$'; printf 'a\\0b' | du -b --files0-from=- ; printf 'd/a.txt\\0' > n; du -b --files0-from=n; du --files0-from=n x; du --files0-from=nope",
    "mkdir -p a/b; printf 123 > a/b/c; printf 1234567 > a/d; du -b a/d a/b/c; du -b --total a/d a/b/c; du -b a/nope a/d; echo $?; du --max-depth=0 --bad; echo $?; du -b --inodes a/d",
    "printf %2000s > f; du --apparent-size -h f; du --apparent-size --block-size=KB f; du --apparent-size --block-size=1000 f; du -b -h f; du --apparent-size -B M f; du --apparent-size --si f; du --apparent-size -BkB f",
  ],
  env: [
    "env -i A=1 B=2 printenv; env -i A=1 printenv A; env -i A=1 printenv B; echo $?; env -i A=1 B=2 printenv -0 A B | od -c; printenv --bad; echo $?",
    "env -i sh -c 'echo ${PATH:+set}'; env A=1 B=2 printenv A B; printenv A B C; echo $?; env -u HOME printenv HOME; echo $?",
    "env -i A=1 env; env -i - B=2 env; env -u; echo $?; env -C /tmp pwd; env -C /nope pwd; echo $?; env nonexistent; echo $?; env -S 'echo a  b' c; env --bad; echo $?",
  ],
  flock: [
    "flock f echo hi; flock -n f -c 'echo locked; exit 3'; echo $?; flock; echo $?; (flock -n 9 && echo got) 9>f; flock 77; echo $?; flock nodir/f true; echo $?",
    "exec 9>f; flock 9; flock -n f true; echo $?; flock -w 0.05 f true; echo $?; flock -E 7 -n f true; echo $?; flock -u 9; flock -n f echo ok; flock -s f echo shared; flock abc; echo $?",
    "flock -x f echo a; flock --exclusive f echo b; flock -n f sh -c 'exit 9'; echo $?; flock f -c 'echo $0 c'; flock --bad; echo $?",
    "exec 5>l; flock -n 5; echo $?; flock -sn 5; echo $?; flock -u 5; echo $?; (flock -n l true); echo $?",
  ],
  getopt: [
    "getopt ab:c -a -b val -c rest; getopt -o ab:c:: -l foo,bar:,baz:: -- -a -bx --foo --bar=1 --baz --baz=q 'a b' \"it's\"; echo $?",
    "getopt -o ab: -n prog -- -x; echo $?; getopt -o ab: -- -b; echo $?; getopt -o a -l foo -- --nope; echo $?; getopt -T; echo $?; getopt; echo $?",
    "getopt -o +ab -- -a x -b; getopt -u -o a: -- -a 'x y'; getopt -q -o a -- -z; echo $?; getopt -Q -o a -- -a; getopt -o a -l alpha,alpine -- --alp; echo $?; getopt -a -l foo -o f -- -foo -f; getopt -l foo -o '' -- --foo=3; echo $?",
    "getopt -o a:b -- -ab; getopt -o ab -- -ba x -- -y; getopt -l long: -o '' -- --lon v; getopt -s sh -o a -- -a; getopt -o a -- 'x\"y' 'a$b'",
  ],
  hostid: ["hostid x; arch x; logname x; groups nouserx; echo $?; groups root"],
  install: [
    "printf x > a; install a b; stat -c %a b; install -m 640 a c; stat -c %a c; install -d x/y z; ls -d x/y z; install a x; ls x; install; install a; install nope q; install -m zz a q; install -D a p/q/r; ls p/q",
    "printf x > a; printf y > b; install -v a b; cat b; install -b a b; ls; install -d -m 700 dd; stat -c %a dd; install -vd n/m; install d1 d2 d3; mkdir dir; install dir q; install -t dir a b; ls dir; install -t nope a; install -T a dir; install -o nouser a q",
    "touch f; install -m 644 f g; stat -c %a g; install -m u=rw,go=r f h; stat -c %a h",
    "printf abc > a; install -C a b; install -C a b; cat b; install -p a c; echo $?",
    "install -d; echo $?; touch f; install f nodir/x; echo $?; install f f; echo $?",
    "touch a b; install a b c; echo $?; mkdir d; install a b d; ls d; install -v a d",
  ],
  link: [
    "touch a; link a b; ls; link a; link; link a b c; link a b; link nope c",
    "link; unlink; touch a; link a b; stat -c %h a; unlink b; stat -c %h a; link nope x; echo $?; unlink nope; echo $?",
  ],
  misc: ["touch a; unlink a; ls; unlink; unlink a; unlink a b; mkdir d; unlink d"],
  mknod: [
    "mknod p p; ls -F; mknod p p; mknod; mknod x; mknod x q; mknod x p 1 2; mknod x c 1; mknod -m zz x p; mknod -m 600 y p; stat -c %a y",
    "mknod f1 p; mknod -m 644 f2 p; stat -c '%F %a' f2; mkfifo f3; mkfifo f3; mkfifo; mkfifo -m 600 f4; stat -c %a f4; mkfifo nodir/x",
  ],
  nice: [
    "nice; nice -n 0 echo x; nice echo y; nice -n x echo; nice --bad; echo $?; nice -n 3; echo $?; nice nonexistent; echo $?",
    "nice -n 5 true; echo $?; nice -5 true; echo $?; nice true; echo $?; nice --adjustment=2 echo hi; nice -n; echo $?",
  ],
  nohup: [
    "nohup; echo $?; nohup echo hi; echo $?; nohup nonexistent; echo $?; nohup --bad; echo $?",
    "nohup sh -c 'echo out; echo err >&2' > o 2>&1; cat o; nohup true < /dev/null; echo $?",
  ],
  nproc: [
    "OMP_NUM_THREADS=7 nproc; OMP_NUM_THREADS=7 nproc --ignore=3; OMP_NUM_THREADS=2 nproc --ignore=5; nproc --ignore=x; nproc extra; OMP_THREAD_LIMIT=1 nproc",
  ],
  pathchk: [
    "pathchk a/b; echo $?; pathchk ''; pathchk -p 'a b'; pathchk -p aaaaaaaaaaaaaaaaaaaa; pathchk -P -- -x; pathchk --portability ok; echo $?; pathchk; touch f; pathchk f/x",
    "pathchk $(printf 'a%.0s' {1..300}) | tail -c 20; echo $?; pathchk -p ''; pathchk -P ''",
    "pathchk ok/name; pathchk -p 'a:b'; echo $?; pathchk -p 'a/b/c'; echo $?; pathchk -P x; echo $?; pathchk --bad; echo $?",
  ],
  pidof: ["pidof nosuchproc; echo $?; pidof; echo $?"],
  setsid: ["setsid echo hi; setsid -w sh -c 'exit 3'; echo $?; setsid nonexistent; echo $?"],
  sleep: [
    "sleep 30 & sleep 0.1; pgrep -c sleep >/dev/null; pgrep -P $$ -x sleep | wc -l; pkill -P $$ sleep; wait; echo $?",
    "sleep 50 & p=$!; kill -0 $p; echo $?; kill $p; wait $p; echo $?; kill -0 $p 2>/dev/null; echo $?",
    "sleep 0; sleep 0.01; sleep; sleep x; sleep 1y; sleep -1; sleep 0.001s 0.001m; echo $?; sleep --bad; echo $?",
  ],
  stdbuf: [
    "stdbuf -oL echo hi; stdbuf echo hi; stdbuf -o x echo; stdbuf -iL echo; stdbuf; stdbuf -o0; stdbuf -oL nonexistent; echo $?",
    "stdbuf -o0 echo a; stdbuf -oL -eL echo b; stdbuf -o 1K echo c; stdbuf --output=L true; echo $?; stdbuf -z; echo $?",
  ],
  sync: [
    "sync; echo $?; sync -d; sync -d -f x; sync nope; touch f; sync f; echo $?; sync -d f; echo $?",
    "sync; echo $?; sync --bad; echo $?; nproc --all extra; nproc --bad; echo $?; arch --bad; echo $?; hostid --bad; logname --bad; groups --bad; echo $?",
  ],
  timeout: [
    "timeout; echo $?; timeout 1; echo $?; timeout x echo; echo $?; timeout 1 nonexistent; echo $?; timeout -s FOO 1 true; echo $?",
    "timeout 5 false; echo $?; timeout 5 sh -c 'exit 7'; echo $?; timeout 1 /; echo $?; timeout 0 echo zero; timeout 1d true; echo $?",
    "timeout 10 cat < /dev/null; echo $?; echo data | timeout 5 cat; timeout 5 sh -c 'echo out; echo err >&2; exit 4'; echo $?",
    "timeout 1 true extra args; echo $?; timeout --foo 1 true; echo $?; timeout --preserve-status -s INT 0.1 sleep 3; echo $?",
  ],
  truncate: [
    "truncate -s 5 f; stat -c %s f; truncate -s +3 f; stat -c %s f; truncate -s -2 f; stat -c %s f",
    "truncate -s '<4' f; truncate -s '>10' f; stat -c %s f; truncate -s /4 f; stat -c %s f; truncate -s %7 f; stat -c %s f",
    "truncate; truncate f; truncate -s; truncate -s x f; truncate -s 1 ; truncate -s /0 f",
    "truncate -c -s 3 nofile; ls; truncate -s 1K f; stat -c %s f; truncate -s 2KB f; stat -c %s f",
    "mkdir d; truncate -s 3 d; truncate -s 3 nodir/f",
    "printf abcdef > r; truncate -r r f; stat -c %s f; truncate -r r -s +2 f; stat -c %s f; truncate -r nope f; truncate -r r -s 3 f",
    "truncate -o -s 1 f; stat -c %s f; truncate -o f",
    "truncate -s 10 a b c; stat -c '%n %s' a b c; truncate --size=-100 a; stat -c %s a; truncate --size 5 --no-create zz; ls",
    "truncate -s 0 f; test -s f; echo $?; truncate -s 1T f; echo $?; truncate --help | head -1; truncate -s '' f; truncate -s +x f",
  ],
  whereis: ["whereis nosuch; whereis; echo $?; whereis -m nosuch"],
};

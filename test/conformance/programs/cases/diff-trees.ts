import type { Scripts } from "../../recorded-case.ts";

/** Two trees: a changed file, a changed file below, one that only each has, one of another kind. */
const trees =
  "mkdir -p a/s b/s a/o; echo 1 > a/f; echo 2 > b/f; echo 3 > a/s/g; echo 4 > b/s/g; echo > b/only; echo k > a/k; mkdir b/k; echo same > a/same; echo same > b/same; touch -d @0 a/f b/f a/s/g b/s/g b/only; ";

export const scripts: Scripts = {
  directories: [
    `${trees}diff a b; echo $?; diff -q a b; echo $?; diff -s a b; echo $?`,
    `${trees}diff -r a b; echo $?; diff -rq a b; echo $?; diff -rs a b; echo $?`,
    `${trees}diff -ru a b; diff -rc a b; diff -r -u --brief a b`,
    `${trees}diff -rN a b; echo $?; diff -ruN a b; diff -rN --brief a b; diff --recursive --new-file a b | head -3`,
    `${trees}diff -r --unidirectional-new-file a b; echo $?`,
    `${trees}diff -r -x f -x 's*' a b; echo $?; diff -r --exclude='[fk]' --exclude=o a b; printf 'only\\ng\\n' > pats; diff -r -X pats a b; diff -X nope a b; echo $?`,
    `${trees}diff a/f b; echo $?; diff a b/f; diff - b < a/f; echo $?; diff a/k b; echo $?; diff a/f a/s; echo $?`,
    `${trees}diff nope a; echo $?; diff a nope; echo $?; diff nope1 nope2; echo $?; diff -N nope a/f; echo $?; diff -N a/f nope; diff -N nope1 nope2; echo $?`,
    `${trees}diff -r a a; echo $?; diff -rs a/s a/s; echo $?; diff a/ b/; diff -r a/. b/.`,
    `${trees}diff -S k a b; echo $?; diff -r -S same a b`,
    `${trees}diff -ry -W 30 a b; diff -re a b; diff -rn a b; diff -r --color=always a b`,
    `${trees}printf '\\0' > a/bin; printf '\\0\\0' > b/bin; diff -r a b | grep bin; diff -rq a b | grep bin; mkdir 'a/x y' 'b/x y'; echo 1 > 'a/x y/z'; echo 2 > 'b/x y/z'; diff -r 'a/x y' 'b/x y'; diff -rx '* *' a b`,
    `${trees}ln -s f a/l; ln -s same b/l; diff -r a b | grep -A3 '/l'; diff -r --no-dereference a b | grep /l; ln -s nowhere a/dead; ln -s nowhere b/dead; diff -r a b 2>&1 | grep dead; diff -r --no-dereference a b | grep dead`,
    "mkdir a b; mkfifo a/p; mkfifo b/p; echo x > b/q; mkfifo a/q; diff -r a b; echo $?",
    `${trees}chmod 000 a/f; diff --from-file=a/same b/same b/f; echo $?; diff --to-file=b/f b/same b/f; echo $?; diff --from-file=b/f --to-file=b/f; echo $?`,
  ],
  usage: [
    "diff; echo $?; touch a; diff a; echo $?; diff a a a; echo $?; diff -z a a; echo $?; diff --nope a a; echo $?",
    "touch a; diff --i a a; echo $?; diff --ignore-c a a; echo $?; diff --brief=x a a; echo $?; diff -I; echo $?; diff --label; echo $?",
    "touch a; diff -u -e a a; echo $?; diff -y -n a a; echo $?; diff --normal -c a a; echo $?; diff -u -U5 a a; echo $?; diff --horizon-lines=x a a; echo $?",
    "mkdir d; diff d/ nope/; echo $?; echo a > f; diff f/ f; echo $?; diff f f/x; echo $?",
    "echo a > f; diff -- f f; echo $?; diff -d f f; diff -H f f; echo $?; diff -q f - < /dev/null; echo $?; echo b | diff -s f -; echo a | diff -s f -",
  ],
  hunks: [
    "printf 'a\\nb\\nc\\na\\nb\\nb\\na\\n' > a; printf 'c\\nb\\na\\nb\\na\\nc\\n' > b; diff a b; diff -d a b; diff b a; diff -u a b | tail -n +3",
    "printf '%s\\n' { x { y } z } > a; printf '%s\\n' { x } { y } { z } > b; diff a b; diff b a",
    "for i in 1 2 3 4 5 6 7 8 9; do echo line; echo $i; echo end; done > a; for i in 1 2 4 5 6 x 7 9; do echo line; echo $i; echo end; done > b; diff a b; diff -u a b | tail -n +3; diff b a",
    "for i in 1 2 3; do printf 'start\\n\\nbody %s\\n\\nend\\n' $i; done > a; for i in 1 3; do printf 'start\\n\\nbody %s\\n\\nend\\n' $i; done > b; diff a b; diff b a; diff -u a b | tail -n +3",
    "printf '%s\\n' a b c d e f g h i j > a; printf '%s\\n' j i h g f e d c b a > b; diff a b; diff -d a b",
    "printf '%s\\n' x x x x x x > a; printf '%s\\n' x x x > b; diff a b; diff b a; printf '%s\\n' x y x x > b; diff a b; diff b a",
    "seq 200 > a; seq 200 | sort > b; diff a b | cksum; diff a b | wc -l; diff b a | wc -l; diff -d a b | wc -l; diff -u a b | tail -n +3 | cksum",
    "for i in $(seq 300); do echo $((i * i % 7)); done > a; for i in $(seq 300); do echo $((i * 3 % 11)); done > b; diff a b | cksum; diff -u a b | tail -n +3 | cksum; diff -d a b | cksum; diff b a | cksum",
    "for i in $(seq 400); do echo $((i % 5)); [ $((i % 13)) = 0 ] && echo m$i; done > a; for i in $(seq 400); do echo $((i % 5)); [ $((i % 17)) = 0 ] && echo m$i; done > b; diff a b | cksum; diff -U1 a b | tail -n +3 | cksum; diff -y a b | cksum",
    "for i in $(seq 500); do echo; echo $i; echo '}'; done > a; for i in $(seq 500); do [ $((i % 9)) = 4 ] && continue; echo; echo $i; [ $((i % 31)) = 7 ] && echo extra; echo '}'; done > b; diff a b | cksum; diff b a | cksum; diff -u a b | tail -n +3 | cksum; diff -c b a | tail -n +3 | cksum",
    "seq 3000 > a; seq 2 3 6000 > b; diff a b | cksum; diff b a | cksum; (seq 1500 3000; seq 1500) > b; diff a b | cksum; diff b a | cksum; diff -u a b | tail -n +3 | cksum",
    "for i in $(seq 700); do echo $((i * 7919 % 101)); done > a; for i in $(seq 700); do echo $((i * 104729 % 103)); done > b; diff a b | cksum; diff b a | cksum; diff -B -u a b | tail -n +3 | cksum; diff -d a b | wc -l",
  ],
  cmp: [
    "printf 'abc\\ndef\\n' > a; printf 'abc\\ndxf\\n' > b; cmp a b; echo $?; cmp a a; echo $?; cmp -s a b; echo $?; cmp -l a b; echo $?; cmp -b a b; cmp -bl a b; cmp --verbose a b; cmp --print-bytes a b",
    "printf 'abc' > a; printf 'abcd' > b; cmp a b; echo $?; cmp b a; cmp -l a b; echo $?; cmp -s a b; echo $?; printf 'abc\\n' > a; printf 'abc\\nd' > b; cmp a b; printf '' > a; cmp a b; cmp -l a b; echo $?",
    "printf 'abcdef' > a; printf 'xbcdyf' > b; cmp -i 1 a b; cmp -i 5 a b; echo $?; cmp -n 4 -i 1 a b; echo $?; cmp -n 3 a b; echo $?; cmp -n 0 a b; echo $?; cmp a b 1 1; cmp a b 1 2; cmp -i 1:2 a b; cmp --bytes=2 --ignore-initial=1 a b; echo $?",
    "printf 'a\\0\\001\\177\\200\\377' > a; printf 'b\\001\\002\\176\\201\\n' > b; cmp -bl a b; cmp -l a b; cmp -b a b; printf '\\377' > a; printf '\\n' > b; cmp -b a b",
    "echo a > a; echo b | cmp a; echo $?; echo b | cmp - a; echo $?; cmp - - < a; echo $?; cmp a -; cat a | cmp a; echo $?",
    "cmp; echo $?; touch a; cmp a nope; echo $?; cmp nope a; echo $?; cmp -s a nope; echo $?; mkdir d; cmp a d; echo $?; cmp d a; echo $?",
    "touch a; cmp -z a a; echo $?; cmp -l -s a a; echo $?; cmp a a 1 2 3; echo $?; cmp -i x a a; echo $?; cmp -n x a a; echo $?; cmp -n 1K a a; cmp -i 1kB a a; cmp a a x; echo $?",
    "seq 10000 > a; seq 10001 > b; cmp a b; seq 10000 | tr 5 6 > b; cmp a b; cmp -l a b | wc -l; cmp -l a b | tail -2; cmp -l -n 100 a b",
  ],
};

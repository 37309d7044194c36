import type { Scripts } from "../../recorded-case.ts";

/** Two files that differ, and a time of their own. */
const files =
  "printf 'a\\nb\\nc\\n' > a; printf 'a\\nx\\nc\\nd\\n' > b; touch -d '2020-01-02 03:04:05.678 UTC' a b; ";
/** A longer pair, with changes near and far from each other. */
const long =
  "seq 40 > a; (seq 4; seq 6 11; echo 12 changed; seq 13 20; echo new line; seq 21 35; seq 39 40) > b; touch -d @0 a b; ";
const body =
  "int main(void)\\n{\\n  int a;\\n  a = 1;\\n  return a;\\n}\\n\\nint other(int x)\\n{\\n  x++;\\n  x--;\\n  x += %s;\\n  return x;\\n}\\n";
const code = `printf '${body}' 2 > a; printf '${body}' 3 > b; touch -d @0 a b; `;

export const scripts: Scripts = {
  normal: [
    `${files}diff a b; echo $?; diff b a; echo $?; diff a a; echo $?`,
    `${long}diff a b; echo $?`,
    "printf 'a' > a; printf 'a\\n' > b; diff a b; diff b a; diff a a",
    "printf '' > a; printf 'x\\n' > b; diff a b; diff b a; diff a a; echo $?",
    "printf 'a\\nb' > a; printf 'a\\nb\\nc' > b; diff a b",
    "printf '1\\n2\\n3\\n' > a; printf '2\\n3\\n' > b; diff a b; printf '1\\n2\\n' > b; diff a b; printf '0\\n' > b; diff a b",
    "seq 10 > a; seq 5 15 > b; diff a b; seq 3 | diff - a; seq 3 | diff a -; diff - - < a; echo $?",
    "seq 1000 > a; seq 1000 | grep -v 7 > b; diff a b | head -50; diff a b | wc -l",
    "printf 'a\\0b\\n' > a; printf 'a\\0c\\n' > b; diff a b; echo $?; diff -a a b | cat -v; diff -q a b; echo $?; cp a c; diff -s a c; diff a c; echo $?",
    "printf '\\377\\n' > a; printf '\\376\\n' > b; diff a b | od -c",
    "printf 'x\\ny\\n' > a; printf 'x\\ny\\nx\\ny\\n' > b; diff a b; diff b a",
    "printf 'f() {\\n  a\\n}\\n\\ng() {\\n  b\\n}\\n' > a; printf 'f() {\\n  a\\n}\\n\\nh() {\\n  c\\n}\\n\\ng() {\\n  b\\n}\\n' > b; diff a b; diff -u a b | tail -n +3",
  ],
  unified: [
    `${files}diff -u a b; diff -u b a`,
    `${long}diff -u a b`,
    `${long}diff -U1 a b; diff -U 0 a b; diff --unified=5 a b; diff --unified a b | head -5`,
    `${long}diff -u0 a b; diff -1u a b; diff -u -2 a b; diff -10 -u a b`,
    "printf 'a' > a; printf 'a\\n' > b; touch -d @0 a b; diff -u a b; diff -u b a; diff -U0 a b",
    "printf '' > a; printf 'x\\ny' > b; touch -d @0 a b; diff -u a b; diff -u b a",
    `${files}diff -u --label one --label two a b; diff -u -L one a b; diff -u --label one --label two --label three a b`,
    `${code}diff -u a b; diff -up a b; diff -u -F '^int' a b; diff -p a b; diff -u0p a b`,
    "mkdir 'a b'; printf '1\\n' > 'a b/c'; printf '2\\n' > 'd\"e'; touch -d @0 'a b/c' 'd\"e'; diff -u 'a b/c' 'd\"e'",
    "printf 'a\\n\\nb\\nc\\n' > a; printf 'a\\n\\nb\\nd\\n' > b; touch -d @0 a b; diff -u --suppress-blank-empty a b | cat -A; diff -uT a b | cat -A; diff -ut a b",
    `${files}echo z | diff -u a - | tail -n +3; diff -u a a; echo $?`,
    `${files}diff -U x a b; echo $?; diff -U; echo $?; diff -U -1 a b; echo $?`,
    "seq 30 > a; (seq 9; echo x; seq 11 16; echo y; seq 18 30) > b; touch -d @0 a b; diff -u a b; diff -U2 a b",
    "seq 30 > a; (seq 9; echo x; seq 11 17; echo y; seq 19 30) > b; touch -d @0 a b; diff -u a b",
  ],
  context: [
    `${files}diff -c a b; diff -c b a`,
    `${long}diff -c a b; diff -C 1 a b; diff --context=0 a b; diff -C0 a b`,
    "printf 'a' > a; printf 'a\\n' > b; touch -d @0 a b; diff -c a b",
    "printf 'a\\nb\\n' > a; printf 'a\\n' > b; touch -d @0 a b; diff -c a b; diff -c b a",
    `${code}diff -cp a b; diff -c -F 'main' a b`,
    `${files}diff -c --label x --label y a b; diff -c -u a b; echo $?`,
  ],
  scripts: [
    `${files}diff -e a b; diff -e b a; diff -f a b; diff -n a b; diff -n b a`,
    `${long}diff -e a b; diff --ed b a; diff -n a b; diff --rcs b a; diff -f a b`,
    "printf 'a\\n' > a; printf 'a\\n.\\nb\\n' > b; diff -e a b; diff -n a b",
    "printf 'a\\n' > a; printf 'a\\nb' > b; diff -e a b; diff -n a b; diff -f a b",
    `${files}cp a c; (diff -e a b; echo w) | cat`,
  ],
  sides: [
    `${files}diff -y a b; echo $?; diff -y -W 40 a b; diff -y -W 20 a b`,
    `${long}diff -y -W 30 a b; diff -y -W 30 --suppress-common-lines a b; diff -y -W 31 --left-column a b`,
    "printf 'a\\tb\\nlong line of text here that is cut\\n' > a; printf 'a\\tc\\nlong line of text here that is kept\\n' > b; diff -y -W 40 a b; diff -yt -W 40 a b; diff -y -W 10 a b",
    "printf 'a\\nb' > a; printf 'a\\nb\\n' > b; diff -y -W 30 a b; diff -y -W 30 b a; diff -y -W 30 a a; echo",
    "printf 'same\\n' > a; diff -y a a; echo $?; diff -y --suppress-common-lines a a; echo $?; diff -y /dev/null a",
    `${files}diff -y -W x a b; echo $?; diff -y -W 0 a b; echo $?; diff -y -W 3 a b`,
  ],
  ignoring: [
    "printf 'A b\\nC\\n' > a; printf 'a  B\\nc\\n' > b; diff -i a b; diff -ib a b; echo $?; diff -iw a b; echo $?",
    "printf 'a b\\n' > a; printf 'a   b  \\n' > b; diff -b a b; echo $?; diff -Z a b; printf 'ab\\n' > b; diff -b a b; diff -w a b; echo $?",
    "printf '  a\\n' > a; printf 'a\\n' > b; diff -b a b; echo $?; diff -w a b; echo $?; printf ' a\\n' > b; diff -b a b; echo $?",
    "printf 'a \\nb\\n' > a; printf 'a\\nb\\t\\n' > b; diff -Z a b; echo $?; diff --ignore-trailing-space a b; echo $?",
    "printf 'a\\tb\\n' > a; printf 'a       b\\n' > b; diff -E a b; echo $?; diff a b; echo $?; printf 'a        b\\n' > b; diff -E a b; echo $?",
    "printf 'a\\n\\nb\\n' > a; printf 'a\\nb\\n\\n\\n' > b; diff -B a b; echo $?; diff a b; printf 'a\\n \\nb\\n' > a; diff -B a b; diff -Bb a b; echo $?",
    "printf 'a\\nb\\n' > a; printf 'a\\n\\nx\\n' > b; diff -B a b; diff -uB a b | tail -n +3; seq 20 > a; (seq 5; echo; seq 6 12; seq 14 20) > b; diff -uB a b | tail -n +3",
    "printf 'a # 1\\nb\\n' > a; printf 'a # 2\\nb\\n' > b; diff -I '#' a b; echo $?; diff -I '# 1' a b; echo $?; diff -I '# 1' -I '# 2' a b; echo $?",
    "printf '# x\\nb\\n' > a; printf '# y\\nc\\n' > b; diff -I '^#' a b; diff -u -I '^#' a b | tail -n +3",
    "printf 'a\\r\\nb\\r\\n' > a; printf 'a\\nb\\n' > b; diff a b | od -c | head; diff --strip-trailing-cr a b; echo $?; diff -Z a b; echo $?",
    "printf 'a' > a; printf 'a\\n' > b; diff -b a b; echo $?; diff -w a b; echo $?; diff -i a b; echo $?; diff -Z a b; echo $?",
    "printf 'x\\n' > a; diff -I '[' a a; echo $?; diff -I '\\(' a a; echo $?; diff -F '[' a a; echo $?",
  ],
  formats: [
    `${files}diff -D NEW a b; diff --ifdef=X b a`,
    `${files}diff --old-line-format='-%l
' --new-line-format='+%l
' --unchanged-line-format=' %l
' a b`,
    `${files}diff --unchanged-line-format= --old-line-format= --new-line-format='%dn:%L' a b; diff --line-format='%L' a b`,
    `${files}diff --changed-group-format='<<<<
%<====
%>>>>>
' a b; diff --unchanged-group-format='' --changed-group-format='%>' a b; diff --old-group-format='%df-%dl %dn%%
' --new-group-format='%dE,%dF,%dL,%dM,%dN %5dN
' b a`,
    `${files}diff --color=always a b; diff --color=always -u a b; diff --color=always -c a b; diff --color=never a b; diff --color=auto a b; diff --color a b; diff --color=pink a b; echo $?`,
    "printf 'a\\nb' > a; printf 'a\\nc' > b; diff --color=always a b; diff --color=always -U0 a b | tail -n +3; diff --color=always -y -W 20 a b",
    "printf 'a\\tb\\n' > a; printf 'a\\tc\\n' > b; diff -t a b; diff -T a b | cat -A; diff -t --tabsize=4 a b; diff --tabsize=0 a b; echo $?",
  ],
};

import type { Scripts } from "../../recorded-case.ts";

/** f and g, their differences in three formats, without times. */
const pair =
  "seq 20 > f; (seq 4; echo five; seq 6 20) > g; diff -u --label f --label g f g > u; diff -c --label f --label g f g > c; diff f g > n; ";
const two =
  "seq 40 > f; (seq 4; echo five; seq 6 29; echo thirty; echo more; seq 31 40) > g; diff -u --label f --label f f g > u; diff -c --label f --label f f g > c; diff f g > n; ";

/** Patches that create new.txt: under one name, with the time of a file that is not there, in a directory. */
const fresh =
  "printf -- '--- new.txt\\n+++ new.txt\\n@@ -0,0 +1,2 @@\\n+a\\n+b\\n' > same; printf -- '--- a/new.txt\\t1970-01-01 00:00:00\\n+++ b/new.txt\\n@@ -0,0 +1 @@\\n+a\\n' > epoch; printf -- '--- a/x/new.txt\\n+++ b/x/new.txt\\n@@ -0,0 +1 @@\\n+a\\n' > deep; ";

export const scripts: Scripts = {
  applying: [
    `${pair}for p in u c n; do cp f h; patch h $p; echo $?; cmp g h; done; ls`,
    `${pair}for p in u c n; do cp g h; patch -R h < $p; echo $?; cmp f h; done; ls`,
    `${two}for p in u c n; do cp f h; patch h < $p; echo $?; cmp g h; done; ls`,
    `${two}for p in u c n; do (echo 0; echo 00; seq 40) > h; patch h < $p; echo $?; cat h | head -8; rm -f h.*; done; ls`,
    `${two}(seq 2; seq 4 40) > h; patch h < u; ls; (seq 20; echo new; echo lines; seq 21 40) > h; patch h < u; cat h | tail -15`,
    `${pair}(seq 2; echo x; seq 4 20) > h; patch h < u; echo $?; (seq 3; echo x; seq 5 20) > h; patch h < u; echo $?; (seq 3; echo x; seq 5; echo y; seq 7 20) > h; patch h < u; echo $?; ls; cat h.rej`,
    `${pair}for fuzz in 0 1 2 3; do (seq 2; echo x; seq 4 20) > h; patch -F$fuzz h < u; echo $?; rm -f h.*; done; patch -F x h < u; echo $?`,
    `${pair}for p in u c n; do seq 100 120 > h; patch h < $p; echo $?; cat h.rej; ls; rm -f h.*; done`,
    `${two}for p in u c n; do (seq 26; echo x; seq 28 29; echo z; seq 31 40) > h; patch h < $p; echo $?; cat h.rej; ls; rm -f h.*; done`,
    `${pair}cat u u > uu; cp f h; patch h < uu; echo $?; ls; printf '' | patch h; echo $?; patch h /dev/null; echo $?`,
    "printf 'a' > x; printf -- '--- x\\n+++ x\\n@@ -1 +1 @@\\n-a\\n\\\\ No newline at end of file\\n+b\\n' | patch; od -c x; printf -- '--- x\\n+++ x\\n@@ -1 +1 @@\\n-b\\n+c\\n\\\\ No newline at end of file\\n' | patch; od -c x",
    "printf 'a  b\\nc\\n' > x; printf -- '--- x\\n+++ x\\n@@ -1,2 +1,2 @@\\n a b\\n-c\\n+d\\n' > p; patch < p; rm -f x.*; patch -l < p; cat x",
    "printf '' > x; printf -- '--- x\\n+++ x\\n@@ -0,0 +1 @@\\n+a\\n' | patch; cat x; printf -- '1a2\\n> b\\n' | patch x; cat x; printf '0a1\\n> z\\n' | patch x; cat x; printf '1d0\\n< z\\n' | patch x; cat x",
    "seq 10 > x; printf -- '--- x\\n+++ x\\n@@ -3,0 +4,2 @@\\n+a\\n+b\\n@@ -8 +9,0 @@\\n-8\\n' | patch; cat x; printf -- '--- x\\n+++ x\\n@@ -1,3 +1,3 @@\\n 1\\n-2\\n+two\\n 3\\n' > p; patch -s < p; echo $?; cat x | head -3; patch -s -R < p; cat x | head -3",
  ],
  "files that are not there": [
    `${fresh}for p in same epoch deep; do for o in "" -p0 -p1 -R -t -N -f; do mkdir t; cd t; patch $o < ../$p; echo "$p $o $?"; find . -type f; cd ..; rm -rf t; done; done`,
    `${fresh}mkdir -p t/b/x; cd t; patch -p0 < ../deep; echo $?; find . -type f; patch -p0 < ../deep; echo $?; find . -type f`,
    `${fresh}mkdir t; cd t; for f in same epoch; do touch new.txt; patch < ../$f; echo $?; patch -R < ../$f; echo $?; ls; patch -R < ../$f; echo $?; ls; patch -R -t < ../$f; echo $?; ls; rm -f *; done`,
    `${fresh}printf -- '--- new.txt\\n+++ new.txt\\n@@ -1 +0,0 @@\\n-a\\n' > gone; for o in "" -N -t -f -R; do patch $o < gone; echo $?; touch new.txt; patch $o < gone; echo $?; ls; rm -f new*; done`,
    "printf '*** a/n\\n--- a/n\\n***************\\n*** 0 ****\\n--- 1,2 ----\\n+ x\\n+ y\\n' > c; patch < c; echo $?; cat n; patch -p0 < c; find . -name n; printf 'Index: q\\n0a1\\n> z\\n' | patch; echo $?; ls",
    "printf -- '--- n\\n+++ n\\n@@ -0,0 +1 @@\\n+x\\n' | patch; echo $?; ls; printf -- '--- m\\n+++ m\\n@@ -1,0 +2 @@\\n+x\\n' | patch; echo $?; ls; printf -- '--- ../o\\n+++ ../o\\n@@ -0,0 +1 @@\\n+x\\n' | patch -p0; echo $?",
  ],
  reversed: [
    `${pair}for p in u c n; do cp g h; patch h < $p; echo $?; ls; cat h.rej; rm -f h.*; done`,
    `${pair}for p in u c n; do cp g h; patch -N h < $p; echo $?; ls; rm -f h.*; cp g h; patch -t h < $p; echo $?; cmp f h; cp g h; patch -f h < $p; echo $?; rm -f h.*; done`,
    `${pair}cp f h; patch -R h < u; echo $?; rm -f h.*; patch -R -t h < u; echo $?; cmp g h; cp f h; patch -R -N h < u; echo $?; rm -f h.*; patch -Rf h < u; echo $?; cat h.rej`,
    `${pair}cp g h; patch -s h < u; echo $?; rm -f h.*; patch -s -N h < u; echo $?; rm -f h.*; patch --dry-run -N h < u; echo $?; ls; patch -N -r - h < u; echo $?; ls`,
  ],
  names: [
    `${pair}patch < u; echo $?; cmp f g; rm f; patch < u; echo $?; ls; rm g.rej g; patch < u; echo $?`,
    "mkdir -p d/e; echo a > d/e/x; printf -- '--- one/d/e/x\\n+++ two/d/e/x\\n@@ -1 +1 @@\\n-a\\n+b\\n' > p; patch -p1 < p; cat d/e/x; patch -p1 -R < p; cat d/e/x; patch < p; echo $?; patch -p0 < p; echo $?; cd d; patch -p2 < ../p; cat e/x; cd e; patch -R < ../../p; cat x; patch -p9 < ../../p",
    "echo a > x; echo a > y; printf -- '--- x\\n+++ y\\n@@ -1 +1 @@\\n-a\\n+b\\n' | patch; head x y; printf -- '--- lib/y\\n+++ x\\n@@ -1 +1 @@\\n-a\\n+b\\n' | patch -p0; head x y",
    "printf -- '--- ../x\\n+++ ../x\\n@@ -1 +1 @@\\n-a\\n+b\\n' > p; mkdir d; echo a > x; cd d; patch -p0 < ../p; echo $?; cat ../x; printf -- '--- /tmp/x\\n+++ /tmp/x\\n@@ -1 +1 @@\\n-a\\n+b\\n' | patch -p0; echo $?; printf -- '--- /dev/null\\n+++ ../new\\n@@ -0,0 +1 @@\\n+a\\n' | patch -p0; echo $?; ls ..",
    "printf -- '--- /dev/null\\n+++ b/new/x\\n@@ -0,0 +1,2 @@\\n+a\\n+b\\n' > p; patch -p1 < p; cat new/x; patch -p1 < p; echo $?; patch -p1 -N < p; echo $?; patch -p1 -R < p; echo $?; ls; patch -p1 -R < p; echo $?; ls",
    "printf 'a\\nb\\n' > x; printf -- '--- a/x\\n+++ /dev/null\\n@@ -1,2 +0,0 @@\\n-a\\n-b\\n' > p; patch -p1 < p; echo $?; ls; patch -p1 < p; echo $?; patch -p1 -R < p; cat x; printf 'a\\nb\\nc\\n' > x; patch -p1 < p; echo $?; cat x; ls",
    "printf 'a\\n' > x; printf -- '--- x\\n+++ x\\n@@ -1 +0,0 @@\\n-a\\n' > p; patch < p; ls; printf 'a\\n' > x; patch -E < p; ls; printf 'a\\n' > x; touch -d @0 y; printf -- '--- x\\t2020-01-01 00:00:00\\n+++ x\\t1970-01-01 00:00:00.000000000 +0000\\n@@ -1 +0,0 @@\\n-a\\n' | patch; ls",
    `${pair}cp f h; patch -o out h < u; ls; cmp out g; patch -o - h < u; patch -i u h; patch -i nope h; echo $?; mkdir d; cp f d/f; patch -d d < u; cmp d/f g; patch -d nope < u; echo $?`,
    "printf 'a\\n' > 'a b'; printf -- '--- a b\\t2020\\n+++ a b\\t2020\\n@@ -1 +1 @@\\n-a\\n+b\\n' | patch; cat 'a b'; printf -- '--- \"a b\"\\n+++ \"a b\"\\n@@ -1 +1 @@\\n-b\\n+c\\n' | patch; cat 'a b'",
    "printf 'Some text\\nbefore it\\n\\nIndex: x\\n===\\n--- x\\n+++ x\\n@@ -1 +1 @@\\n-a\\n+b\\n\\nand after\\n' > p; echo a > x; patch < p; cat x; printf 'Index: y\\n1c1\\n< a\\n---\\n> b\\n' > p; echo a > y; patch < p; cat y; printf 'Index: z\\n1c1\\n< a\\n---\\n> b\\n' | patch; echo $?",
    "mkdir d; printf -- '--- d\\n+++ d\\n@@ -1 +1 @@\\n-a\\n+b\\n' > p; patch < p; echo $?; echo a > t; ln -s t l; patch l < p; echo $?; cat t; patch --follow-symlinks l < p; cat t; ls",
    "echo a > x; echo b > y; printf -- '--- x\\n+++ x\\n@@ -1 +1 @@\\n-a\\n+A\\n--- y\\n+++ y\\n@@ -1 +1 @@\\n-b\\n+B\\n--- z\\n+++ z\\n@@ -1 +1 @@\\n-c\\n+C\\n' | patch; echo $?; cat x y; ls",
  ],
  git: [
    "printf 'one\\ntwo\\n' > x; printf 'diff --git a/x b/y\\nsimilarity index 100%%\\nrename from x\\nrename to y\\n' > p; patch -p1 < p; echo $?; ls; patch -p1 -R < p; ls -p | grep -v p$",
    "printf 'one\\ntwo\\n' > y; printf 'diff --git a/y b/d/z\\nsimilarity index 50%%\\nrename from y\\nrename to d/z\\n--- a/y\\n+++ b/d/z\\n@@ -1,2 +1,2 @@\\n one\\n-two\\n+TWO\\n' | patch -p1; ls; cat d/z",
    "printf 'diff --git a/n b/n\\nnew file mode 100755\\nindex 0000000..e69de29\\n--- /dev/null\\n+++ b/n\\n@@ -0,0 +1 @@\\n+n\\n' > p; patch -p1 < p; stat -c %A n; cat n; printf 'diff --git a/n b/n\\ndeleted file mode 100755\\n--- a/n\\n+++ /dev/null\\n@@ -1 +0,0 @@\\n-n\\n' | patch -p1; ls",
    "printf 'diff --git a/e b/e\\nnew file mode 100644\\nindex 0000000..e69de29\\n' | patch -p1; ls; echo z > z; printf 'diff --git a/z b/z\\nold mode 100644\\nnew mode 100755\\n' | patch -p1; stat -c %A z; printf 'diff --git a/z b/zz\\nsimilarity index 100%%\\ncopy from z\\ncopy to zz\\n' | patch -p1; ls; cat zz",
    "mkdir d; echo 1 > d/a; echo 2 > d/b; printf 'From: x\\nSubject: y\\n\\n---\\n d/a | 2 +-\\n 1 file changed\\n\\ndiff --git a/d/a b/d/a\\nindex 1..2 100644\\n--- a/d/a\\n+++ b/d/a\\n@@ -1 +1 @@\\n-1\\n+one\\ndiff --git a/d/b b/d/b\\nindex 1..2 100644\\n--- a/d/b\\n+++ b/d/b\\n@@ -1 +1 @@\\n-2\\n+two\\n-- \\n2.30\\n' | patch -p1; echo $?; cat d/a d/b",
  ],
  keeping: [
    `${pair}cp f h; patch -b h < u; ls; cmp h.orig f; rm h.orig; cp f h; patch -b -z .bak h < u; ls; rm h.bak; cp f h; patch -b -V numbered h u; patch -R -b -V numbered h u; ls`,
    `${pair}cp f h; patch -b -B pre/ h u; ls -R; cp f h; patch -b --prefix=old- h u; ls; (echo 0; seq 20) > h; patch --no-backup-if-mismatch h < u; ls`,
    `${pair}cp f h; patch --dry-run h < u; cmp f h; seq 30 50 > h; patch --dry-run h < u; echo $?; ls; patch -r my h < u; ls; patch -r - h < u; ls; patch -s h < u; echo $?`,
    `${pair}cp f h; chmod 640 h; patch h < u; stat -c %a h; chmod 444 h; patch -R h < u; stat -c %a h; ln h k; chmod 644 h; patch h < u; cmp k f; cmp k g`,
  ],
  refusals: [
    "echo garbage | patch; echo $?; patch -z; echo $?; patch --nope; echo $?; patch a b c < /dev/null; echo $?; patch -p x < /dev/null; echo $?",
    "echo a > x; printf -- '--- x\\n+++ x\\n@@ -1 +1 @@\\n-a\\n' | patch; echo $?; printf -- '--- x\\n+++ x\\n@@ -1,2 +1 @@\\n-a\\n*b\\n' | patch; echo $?; printf -- '--- x\\n+++ x\\n@@ -1,2 +1 @@\\n-a\\n+b\\n+c\\n' | patch; echo $?; cat x; ls",
    "echo a > x; printf -- '--- x\\r\\n+++ x\\r\\n@@ -1 +1 @@\\r\\n-a\\r\\n+b\\r\\n' | patch; cat x",
    "printf -- '--- x\\n+++ x\\n@@ -1 +1 @@\\n-a\\n+b\\n' | patch nope; echo $?; printf -- '--- x\\n+++ x\\n@@ -0,0 +1 @@\\n+b\\n' | patch new; echo $?; cat new",
  ],
};

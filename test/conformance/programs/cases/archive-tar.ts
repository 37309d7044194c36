import type { Scripts } from "../../recorded-case.ts";

/** A small tree with one of each kind, at a fixed time. */
const tree =
  "umask 022; mkdir -p d/e; echo a > d/f; seq 100 > d/e/g; ln -s f d/l; ln d/f d/h; mkfifo d/p; touch -hd '2020-01-02 03:04:05 UTC' d/f d/e/g d/p d/l; touch -d '2020-01-02 03:04:05 UTC' d/e d; ";
/** Options that make an archive depend on its files alone. */
const fixed = "--sort=name --owner=0 --group=0 --numeric-owner --format=gnu";
const made = `${tree}tar cf a.tar ${fixed} d; `;

export const scripts: Scripts = {
  making: [
    `${made}sha256sum < a.tar; tar tf a.tar; wc -c < a.tar`,
    `${made}tar tvf a.tar; tar tvvf a.tar | head -3; tar -tv --numeric-owner -f a.tar | tail -2; tar tvf a.tar --full-time | head -2`,
    `${tree}tar cvf a.tar ${fixed} d; tar cvvf b.tar ${fixed} d; cmp a.tar b.tar; tar -cvf - ${fixed} d/f 2>err | wc -c; cat err`,
    `${tree}tar cf a.tar --sort=name --owner=bin:7 --group=games:9 --mtime='2001-02-03 04:05:06' d; tar tvf a.tar; sha256sum < a.tar`,
    `${tree}tar cf a.tar --sort=name --owner=root --group=root --mode=a+rw,u+x d/f d/e; tar tvf a.tar; tar cf a.tar --owner=5 --group=6 --mode=600 d/f; tar tvf a.tar --numeric-owner; tar cf a.tar --owner=nosuch --group=x:1 d/f; tar tvf a.tar`,
    `${tree}tar cf a.tar --sort=name ${fixed} -C d f e -C e g; tar tf a.tar; tar cf b.tar ${fixed} -C nope f; echo $?; tar cf b.tar ${fixed} -C d/e . ; tar tf b.tar`,
    `${tree}tar cf a.tar ${fixed} --exclude=e d; tar tf a.tar; tar cf a.tar ${fixed} --exclude='*.x' --exclude='d/[fh]' d; tar tf a.tar; printf 'g\\np\\n' > ex; tar cf a.tar ${fixed} -X ex d; tar tf a.tar; tar cf a.tar ${fixed} --anchored --exclude=f d; tar tf a.tar`,
    `${tree}printf 'd/f\\nd/e\\n' > list; tar cf a.tar ${fixed} -T list; tar tf a.tar; printf 'd/f\\0d/e/g\\0' | tar cf a.tar ${fixed} --null -T -; tar tf a.tar; printf -- '-C d\\nf\\n' > list; tar cf a.tar ${fixed} -T list; tar tf a.tar; tar cf a.tar -T nope; echo $?`,
    `${tree}tar cf a.tar ${fixed} --no-recursion d d/e; tar tf a.tar; tar cf a.tar ${fixed} -h d/l; tar tvf a.tar; tar cf a.tar ${fixed} --hard-dereference d; tar tvf a.tar | cut -c1-10`,
    `${tree}tar cf a.tar ${fixed} --transform 's,^d,D,' d; tar tf a.tar; tar cf a.tar ${fixed} --transform='s/[fg]/<&>/g;s/e/E/' d; tar tvf a.tar; tar cvf a.tar ${fixed} --xform 's/^d/X/' --show-transformed-names d; tar cf a.tar --transform bad d; echo $?`,
    "mkdir d; n=$(printf 'n%.0s' $(seq 120)); echo x > d/$n; ln -s $n d/l; ln d/$n d/h$n; touch -hd @0 d/* d; tar cf a.tar --sort=name --owner=0 --group=0 --numeric-owner --format=gnu d; tar tf a.tar; sha256sum < a.tar; mkdir o; tar xf a.tar -C o; ls o/d; cat o/d/$n; readlink o/d/l",
    "n=$(printf 'n%.0s' $(seq 100)); echo x > $n; touch -d @0 $n; tar cf a.tar --owner=0 --group=0 --numeric-owner --format=gnu $n; sha256sum < a.tar; echo y > ${n}n; touch -d @0 ${n}n; tar cf a.tar --owner=0 --group=0 --numeric-owner --format=gnu ${n}n; sha256sum < a.tar; tar tf a.tar",
    "touch 'a b' 'c\\d' \"$(printf 'e\\nf')\" \"$(printf '\\303\\251')\"; touch -d @0 *; tar cf t.tar --sort=name --owner=0 --group=0 --numeric-owner *; tar tf t.tar; tar tvf t.tar; mkdir o; tar xf t.tar -C o; ls o | od -c",
    `${tree}tar cf a.tar; echo $?; tar cf a.tar nope; echo $?; tar cf a.tar nope d/f; echo $?; tar tf a.tar; tar cf /nope/a.tar d; echo $?; tar -cf a.tar a.tar d/f; tar tf a.tar`,
    "echo x > /tmp/tar-case-x; tar cf a.tar --owner=0 --group=0 --mtime=@0 /tmp/tar-case-x; tar tvf a.tar; tar cPf a.tar --owner=0 --group=0 --mtime=@0 /tmp/tar-case-x; tar tvf a.tar; tar xf a.tar; cat tmp/tar-case-x; rm /tmp/tar-case-x; mkdir d; touch d/f; tar cf b.tar d/../d/f; tar tf b.tar; tar cPf b.tar d/../d/f; tar tf b.tar; tar xf b.tar; echo $?",
    "head -c 100000 /dev/zero > z; seq 20000 > s; touch -d @0 z s; tar cf a.tar --owner=0 --group=0 --numeric-owner --format=gnu z s; sha256sum < a.tar; tar xOf a.tar s | tail -1; mkdir o; tar xf a.tar -C o; cmp z o/z; cmp s o/s",
    "touch -d @0 e; mkdir n; touch -d @0 n; tar cf a.tar --owner=0 --group=0 --numeric-owner --format=gnu e n; sha256sum < a.tar; tar tvf a.tar; touch -d 2099-01-01 e; tar cf a.tar --owner=0 --group=0 --numeric-owner --format=gnu e; tar tvf a.tar; touch -d 1960-01-01 e; tar cf a.tar --owner=0 --group=0 --numeric-owner --format=gnu e; tar tvf a.tar; sha256sum < a.tar",
  ],
  reading: [
    `${made}mkdir o; tar xf a.tar -C o; (cd o; find . | sort; cat d/f; readlink d/l; stat -c '%n %a %h %Y %F' d d/e d/e/g d/f d/h d/p)`,
    `${made}mkdir o; cd o; tar xvf ../a.tar; rm -r d; tar -x -v -f ../a.tar d/e; find . | sort; tar xvvf ../a.tar d/f d/l`,
    `${made}tar tf a.tar d/e; tar tf a.tar d/e/; tar tf a.tar d/f nope; echo $?; tar tf a.tar 'd/*'; echo $?; tar tf a.tar --wildcards 'd/*'; tar tf a.tar --wildcards --no-anchored g; tar tf a.tar --wildcards '*/[fg]'; tar tf a.tar --no-wildcards 'd/*'; echo $?`,
    `${made}tar xOf a.tar d/f; tar xOf a.tar d/e/g | tail -1; tar xvOf a.tar d/f; tar tf a.tar --exclude=e; mkdir o; tar xf a.tar -C o --exclude='d/e'; find o | sort`,
    `${made}mkdir o; tar xvf a.tar --strip-components=1 -C o; find o | sort; tar tf a.tar --strip-components=1 | head -2; rm -r o; mkdir o; tar xf a.tar --strip=2 -C o; find o | sort; tar xf a.tar --strip-components=x; echo $?`,
    `${made}mkdir o; tar xvf a.tar --transform 's,^d,new,' -C o; find o | sort; tar xvf a.tar --transform 's,^d,new,' --show-transformed-names -C o | tail -2`,
    `${made}mkdir o; tar xf a.tar -C o; echo new > o/d/f; tar xkf a.tar -C o; echo $?; cat o/d/f; tar xf a.tar -C o --skip-old-files; echo $?; cat o/d/f; tar xf a.tar -C o; cat o/d/f; cat o/d/h`,
    `${made}tar xf a.tar -C nope; echo $?; tar xf nope.tar; echo $?; tar tf d; echo $?; tar tf /dev/null; echo $?; tar t < a.tar | head -1; cat a.tar | tar tf - | head -1; cat a.tar | tar x; echo $?`,
    `${made}echo junk > j.tar; tar tf j.tar; echo $?; seq 1000 > j.tar; tar tf j.tar; echo $?; head -c 1000 a.tar | tar tf -; echo $?; head -c 1700 a.tar | tar tf -; echo $?; head -c 1700 a.tar > t.tar; mkdir o; tar xf t.tar -C o; echo $?; ls o/d/e; head -c 0 a.tar | tar t; echo $?`,
    `${made}(head -c 512 a.tar; printf X; tail -c +514 a.tar) > c.tar; tar tf c.tar; echo $?; cp a.tar t.tar; printf '\\1' | dd of=t.tar bs=1 seek=600 conv=notrunc 2>/dev/null; tar tf t.tar; echo $?`,
    `${made}tar df a.tar | grep -v 'id diff'; echo bb > d/f; touch -d @0 d/f; rm d/e/g; tar df a.tar 2>&1 | grep -v 'id diff'; tar --compare -f a.tar d/l | grep -v 'id diff'`,
    `${made}mkdir o; touch -d @5 x; tar xmf a.tar -C o d/f; [ o/d/f -nt x ] && echo now; umask 077; rm -r o; mkdir o; tar xf a.tar -C o --no-same-permissions d/f; stat -c %a o/d/f; rm -r o; mkdir o; tar xpf a.tar -C o d/f; stat -c %a o/d/f`,
    `${made}tar rf a.tar ${fixed} d/f; tar tf a.tar; wc -c < a.tar; echo new > n; touch -d @0 n; tar rvf a.tar ${fixed} n; sha256sum < a.tar; tar uf a.tar ${fixed} n d/f; tar tf a.tar | wc -l; echo newer > n; tar uf a.tar ${fixed} n; tar tf a.tar | grep -c n; tar xOf a.tar n`,
    `${made}echo n > n; touch -d @0 n; tar cf b.tar ${fixed} n; tar Af a.tar b.tar; tar tf a.tar; tar rf new.tar ${fixed} n; tar tf new.tar; tar rf - n; echo $?`,
    "printf 'x' > f; ln -s /tmp/evil l; touch -hd @0 l f; tar cf a.tar l; mkdir -p l2; rm l; mkdir l; echo evil > l/x; tar rf a.tar l/x; tar tf a.tar; mkdir o; tar xf a.tar -C o; echo $?; ls o",
  ],
  packing: [
    `${tree}tar czf a.tgz ${fixed} d; tar tzf a.tgz; tar tf a.tgz | wc -l; cat a.tgz | tar tzf - | wc -l; cat a.tgz | tar tf -; echo $?; gzip -dc a.tgz | tar tf - | wc -l; mkdir o; tar xzf a.tgz -C o; find o | wc -l`,
    `${tree}tar cjf a.tbz ${fixed} d; tar tjf a.tbz | wc -l; tar tf a.tbz | wc -l; bzip2 -dc a.tbz | sha256sum; tar cJf a.txz ${fixed} d; tar tJf a.txz | wc -l; tar tf a.txz | wc -l; xz -dc a.txz | sha256sum; cat a.txz | tar tf -; echo $?; cat a.tbz | tar tf -; echo $?`,
    `${tree}tar --zstd -cf a.tzst ${fixed} d; tar --zstd -tf a.tzst | wc -l; tar tf a.tzst | wc -l; for s in tar tar.gz tgz tar.bz2 tbz tar.xz txz tar.zst; do tar caf a.$s ${fixed} d; tar tf a.$s | wc -l; done; gzip -t a.tar.gz; bzip2 -t a.tar.bz2; xz -t a.tar.xz; echo $?`,
    `${made}tar xzf a.tar; echo $?; tar tjf a.tar; echo $?; tar tJf a.tar; echo $?; gzip -k a.tar; tar rf a.tar.gz d/f; echo $?; tar tzf a.tar.gz | wc -l; tar -I gzip -tf a.tar.gz | wc -l; tar -c -I gzip -f b.tar.gz ${fixed} d; gzip -dc b.tar.gz | cmp - a.tar`,
    `${made}gzip a.tar; head -c 200 a.tar.gz > t.gz; tar tzf t.gz > out; echo $?; tar xf a.tar.gz d/f; tar -xzvf a.tar.gz d/e; tar zxf a.tar.gz; tar -z -x -f a.tar.gz; tar --extract --gzip --file=a.tar.gz; echo $?`,
  ],
  usage: [
    "tar; echo $?; tar -Q; echo $?; tar --nope; echo $?; tar cxf a.tar; echo $?; tar cf; echo $?; tar f a; echo $?; tar -f a.tar; echo $?; tar c; echo $?",
    "touch x; tar -c -f; echo $?; tar --create --file=a.tar --owner=0 --group=0 --mtime=@0 x; tar --list --file=a.tar; tar --list --verbose --file a.tar; tar --get --file a.tar; tar --sort=bad -cf a.tar x; echo $?",
    "touch -d @0 x y; tar cfv a.tar x y; tar fvt a.tar --owner=0 | cut -c1-10; tar tf a.tar x x; tar tf a.tar y x; tar cf a.tar x x; tar tf a.tar; tar -tf a.tar -- x",
  ],
};

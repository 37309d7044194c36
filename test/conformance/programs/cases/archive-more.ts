import type { Scripts } from "../../recorded-case.ts";

const at = "touch -d '2020-01-02 03:04:06 UTC'";
const fixed = "--sort=name --owner=0 --group=0 --numeric-owner --format=gnu";

export const scripts: Scripts = {
  tar: [
    `mkdir -p src/lib; echo 1 > src/a.c; echo 2 > src/b.o; echo 3 > src/lib/c.c; ${at} src/*.? src/lib/* src/lib src; tar -czf s.tar.gz ${fixed} --exclude='*.o' src; tar -tzf s.tar.gz; mkdir out; tar -xzf s.tar.gz -C out --strip-components 1; find out | sort`,
    `mkdir a b; echo 1 > a/x; echo 2 > b/y; ${at} a/x b/y a b; tar cf - ${fixed} a b | (mkdir o; cd o; tar xf -); find o | sort; tar cf - ${fixed} -C a . | tar tvf -; tar cf - ${fixed} -C a x -C ../b y | tar tf -`,
    `echo x > f; ${at} f; chmod 4755 f; tar cf a.tar ${fixed} f; tar tvf a.tar; mkdir d; chmod 1777 d; ${at} d; tar cf a.tar ${fixed} d; tar tvf a.tar; sha256sum < a.tar`,
    `for i in 1 2 3; do echo $i > f$i; done; ${at} f?; tar cf a.tar ${fixed} f1 f2 f3; tar xvf a.tar f2 -O; tar xf a.tar --to-stdout; tar -xOf a.tar f3 f1; tar tf a.tar f3 f1`,
    `mkdir d; echo 1 > d/f; ${at} d/f d; tar cf a.tar ${fixed} ./d; tar tf a.tar; tar tf a.tar d; echo $?; tar tf a.tar ./d/f; tar cf a.tar ${fixed} d/; tar tf a.tar; tar cf a.tar ${fixed} d//f; tar tf a.tar; tar cf a.tar ${fixed} .//d; tar tf a.tar`,
    `mkdir -p d/x d/y; touch d/x/1 d/y/2; ${at} d/x/1 d/y/2 d/x d/y d; tar cf a.tar ${fixed} --exclude=d/x d; tar tf a.tar; tar cf a.tar ${fixed} --exclude='x/*' d; tar tf a.tar; tar cf a.tar ${fixed} --exclude='d/*' d; tar tf a.tar; tar cf a.tar ${fixed} --exclude=./d/x ./d; tar tf a.tar; tar cf a.tar ${fixed} --exclude='?' d; tar tf a.tar`,
    `mkdir .git; touch .git/x f .gitignore; ${at} .git/x f .git .gitignore; tar cf a.tar ${fixed} --exclude-vcs .git f .gitignore; tar tf a.tar; tar cf a.tar ${fixed} --exclude=.git --exclude='*.gi*' .git f .gitignore; tar tf a.tar`,
    `echo a > a; echo b > b; ${at} a b; tar cf x.tar ${fixed} a; tar rf x.tar ${fixed} b; tar tvf x.tar; tar rvf x.tar ${fixed} a; tar xvf x.tar; tar --append -f x.tar ${fixed} nope; echo $?; tar tf x.tar | wc -l`,
    `echo 1 > f; ln f g; ln -s f s; ln -s /abs t; ln -s ../up u; ${at} f; touch -hd @0 s t u; tar cf a.tar ${fixed} f g s t u; tar tvf a.tar; mkdir o; tar xf a.tar -C o; ls -F o; readlink o/s o/t o/u; stat -c %h o/f; tar xf a.tar -C o; ls o`,
    `echo old > f; ${at} f; tar cf a.tar ${fixed} f; echo new > f; tar xf a.tar --keep-newer-files; cat f; tar xf a.tar --overwrite; cat f; chmod 444 f; tar xf a.tar; echo $?; rm -f f; mkdir f; tar xf a.tar; echo $?; ls -F; touch f; rm -f f; mkdir -p f/x; tar xf a.tar; echo $?`,
    `echo x > f; ${at} f; tar cf a.tar ${fixed} f; tar xf a.tar -C /nonexistent f; echo $?; mkdir ro; tar xvf a.tar -C ro -- f; tar --file a.tar --list --verbose; tar --extract --file a.tar --directory ro --verbose f; tar -tvf a.tar -C ro; tar tf a.tar f nope nope2; echo $?`,
    `mkdir d; echo 1 > d/1; echo 2 > d/2; ${at} d/1 d/2 d; tar cf a.tar ${fixed} --transform='s|^d|prefix/d|' d; tar tf a.tar; tar cf a.tar ${fixed} --transform='s/1/one/;s/2/two/' d; tar tf a.tar; tar cf a.tar ${fixed} --transform='s/\\(d\\)\\/\\(.\\)/\\2-\\1/' d; tar tf a.tar; tar cf a.tar ${fixed} --transform='s/D/x/i' d; tar tf a.tar; tar cf a.tar ${fixed} --transform='s,(.)/(.),\\2,x' d; tar tf a.tar`,
    `echo 1 > f; ${at} f; tar cf a.tar ${fixed} f; cat a.tar a.tar > two.tar; tar tf two.tar; tar tif two.tar; head -c 10239 a.tar > s.tar; tar tf s.tar; echo $?; (cat a.tar; echo trailing) > t.tar; tar tf t.tar; echo $?; head -c 512 a.tar > h.tar; tar tf h.tar; echo $?; head -c 1024 a.tar > h.tar; tar tf h.tar; echo $?`,
    "mkdir -p a/b/c/d/e; touch a/b/c/d/e/f; touch -d @0 a/b/c/d/e/f; tar cf x.tar --owner=0 --group=0 --numeric-owner a/b/c/d/e/f; mkdir o; tar xvf x.tar -C o; find o | sort; tar xf x.tar -C o --strip-components=9; echo $?; tar tvf x.tar",
    "touch -d @0 -- -x; tar cf a.tar --owner=0 --group=0 -- -x; tar tf a.tar; tar cf a.tar --owner=0 --group=0 ./-x; tar tf a.tar; tar cf a.tar --owner=0 --group=0 --add-file=-x; tar tf a.tar; tar cf a.tar -x; echo $?",
    "printf 'a\\nb\\n' > l; touch -d @0 a b c; tar cf a.tar --owner=0 --group=0 -T l c; tar tf a.tar; printf 'b\\n' > l; tar tf a.tar -T l; tar xvf a.tar -T l; printf 'nope\\n' | tar tf a.tar -T -; echo $?; find . -name '[ab]' -print0 | sort -z | tar cf a.tar --owner=0 --group=0 --null -T - ; tar tf a.tar; find . -name '[ab]' | sort | tar -cf a.tar -T - --owner=0 --group=0; tar tf a.tar",
    "echo x > f; touch -d @1.5 f; tar cf a.tar --owner=0 --group=0 f; tar tvf a.tar --full-time; tar cf a.tar --owner=0 --group=0 --mtime='2021-03-04 05:06:07' f; tar tvf a.tar --full-time; touch -d '2019-01-01 UTC' ref; tar cf a.tar --owner=0 --group=0 --mtime=./ref f; tar tvf a.tar; tar cf a.tar --owner=0 --group=0 --mtime=./nope f; echo $?; tar cf a.tar --owner=0 --group=0 --mtime='@86400' f; tar tvf a.tar --utc",
    "umask 027; mkdir d; echo 1 > d/f; touch -d @0 d/f d; tar cf a.tar --owner=0 --group=0 --mode='u=rwX,go=rX' d; tar tvf a.tar --numeric-owner; tar cf a.tar --owner=0 --group=0 --mode=0 d/f; tar tvf a.tar --numeric-owner; tar cf a.tar --mode=zz d/f; echo $?; tar cf a.tar --owner=me:1234 --group=us:5678 d; tar tvf a.tar; tar tvf a.tar --numeric-owner",
    "tar cf a.tar --files-from=/dev/null; echo $?; tar tf a.tar; wc -c < a.tar; sha256sum < a.tar; tar xf a.tar; echo $?; mkdir e; touch -d @0 e; tar cf b.tar --owner=0 --group=0 --numeric-owner --format=gnu e; sha256sum < b.tar; tar tvf b.tar",
  ],
  gzip: [
    "seq 50 > a; cp a b; gzip -v a b 2>&1 | cut -d: -f1; ls; gunzip -v a.gz b.gz 2>&1 | cut -d: -f1; ls; gzip -q a nope; echo $?; ls",
    "seq 50 | gzip -c > a; file=a; gunzip < a | tail -1; zcat < a | head -1; mv a a.gz; gzip -cd a.gz | wc -l; gzip -d -k a.gz; ls; gzip --decompress --stdout a.gz | wc -l; gunzip --keep --force a.gz; ls",
    "echo hello > f; gzip -9 < f > f.gz; gzip -l f.gz | awk '{print $2, $4}'; printf 'aaaa' | gzip | zcat; echo; (printf a | gzip; printf b | gzip; printf c | gzip) | gunzip; echo; printf x | gzip -f | gzip -df; echo",
    "echo a > x; ln -s x l; gzip l; echo $?; ls; gzip -f l; ls; rm -f *; echo a > x; ln x y; gzip x; echo $?; gzip -f x; echo $?; ls",
    "echo a > -x; gzip -- -x; ls; gunzip -- -x.gz; ls; gzip ./-x; ls; echo a > 'a b'; gzip 'a b'; ls; zcat 'a b.gz'; gzip -d 'a b'; ls",
    "echo a > x; gzip -n x; od -An -tx1 -N 10 x.gz; gzip -dc x.gz; echo a > y; touch -d @5 y; gzip -N -c y | od -An -tx1 -N 12; gzip -1 -c -n y | od -An -tx1 -N 10; gzip -9 -c -n y | od -An -tx1 -N 10",
    "for f in a b c; do echo $f > $f; done; gzip *; zcat *.gz; gunzip *.gz; cat *; tar cf - a b c | gzip | zcat | tar tf -; mkdir d; mv a d; gzip -r d b; find . -name '*.gz' | sort",
    "printf 'abc' | bzip2 -c > x.bz2; bzcat x.bz2; echo; bunzip2 -k x.bz2; cat x; echo; bzip2 -kc x | bzip2 -dc; echo; bzip2 -q nope; echo $?; cp x.bz2 y.tbz2; bunzip2 y.tbz2; ls; echo a | bzip2 -1 | bzip2 -d; bzip2 --decompress --stdout x.bz2; echo; bzip2 -d x.bz2; echo $?",
    "printf 'abc' | xz -c > x.xz; xzcat x.xz; echo; unxz -k x.xz; cat x; echo; xz -kc x | xz -dc; echo; cp x.xz y.txz; unxz y.txz; ls; echo a | xz -9e | xz -d; xz --decompress --stdout x.xz; echo; xz -d x.xz; echo $?; xz -q nope; echo $?; xz -tq x; echo $?",
  ],
  zip: [
    `echo 1 > a; echo 2 > b; ${at} a b; zip a.zip a b; zip a.zip b; unzip -Z1 a.zip; zip -q a.zip a; zip a; ls; zip c.zip a b a.zip -i a b; unzip -l c.zip`,
    `mkdir d; echo 1 > d/a.txt; echo 2 > d/b.log; ${at} d/a.txt d/b.log d; zip x.zip d/* -x '*.log'; zip y.zip d/* -x \\*.txt; zip -X z.zip d/a.txt; unzip -Z1 z.zip; zip -q w.zip d/a.txt d/b.log; unzip w.zip '*.txt' -d o; unzip -o w.zip -x '*.txt' -d o; find o | sort`,
    `echo data > f; ${at} f; chmod 600 f; zip -q a.zip f; rm f; unzip a.zip; stat -c '%a %Y' f; unzip -oq a.zip; unzip -p a.zip f; unzip -pq a.zip nope; echo $?; unzip -l a.zip nope; echo $?; unzip -t a.zip f; unzip -d q a.zip; ls q; unzip a.zip -d q/r/s; find q | sort`,
    "printf '' > e; touch -d '2020-01-02 03:04:06 UTC' e; zip e.zip e; unzip -l e.zip; unzip -t e.zip; mkdir o; unzip e.zip -d o; wc -c o/e; mkdir d; touch -d '2020-01-02 03:04:06 UTC' d; zip d.zip d; unzip -l d.zip; unzip d.zip -d o; unzip d.zip -d o; echo $?",
    "echo x > 'a b'; touch -d '2020-01-02 03:04:06 UTC' 'a b'; zip s.zip 'a b'; unzip -l s.zip; unzip -p s.zip 'a b'; unzip -Z1 s.zip; rm 'a b'; unzip s.zip; cat 'a b'; zip -d s.zip 'a b'; echo $?; unzip -l s.zip; echo $?",
    "mkdir -p p/q; echo 1 > p/q/r; touch -d '2020-01-02 03:04:06 UTC' p/q/r p/q p; zip -r ./p.zip ./p/q; unzip -Z1 p.zip; zip -r p2.zip \"$PWD/p/q/r\" > /dev/null; unzip -Z1 p2.zip | grep -c '^/'; zip -rj p3.zip p; unzip -Z1 p3.zip; unzip -j p.zip -d flat; ls flat; unzip -qj p.zip -d flat < /dev/null; echo $?",
  ],
};

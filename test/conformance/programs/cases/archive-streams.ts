import type { Scripts } from "../../recorded-case.ts";

export const scripts: Scripts = {
  gzip: [
    "seq 100 > x; gzip x; ls; gzip x.gz; echo $?; gunzip x.gz; ls; seq 100 | cmp - x",
    "seq 100 > x; gzip -k x; ls; gzip -k x; echo $?; gzip -kf x; echo $?; gunzip x.gz; echo $?; gunzip -f x.gz; ls; gzip -c x | gzip -dc | cmp - x; ls",
    "gzip nope; echo $?; mkdir d; gzip d; echo $?; gunzip nope; echo $?; zcat nope; echo $?; gzip nope d; echo $?; echo a > y; gunzip y; echo $?",
    "seq 100 > x; gzip -c x > a.gz; gzip -c x > b.gz; cat a.gz b.gz > c.gz; zcat c.gz | wc -l; zcat a.gz b.gz | wc -l; gzip -t c.gz; echo $?; gunzip -c c.gz | tail -1",
    "seq 100 | gzip > a.gz; echo junk >> a.gz; gzip -t a.gz; echo $?; gunzip -c a.gz | tail -1; gunzip a.gz; echo $?; ls; seq 3 | gzip > z.gz; printf '\\0\\0\\0\\0' >> z.gz; gzip -dc z.gz; echo $?; gzip -qt z.gz",
    "printf garbage > g.gz; gzip -t g.gz; echo $?; gunzip g.gz; echo $?; ls; printf '' > e.gz; gzip -t e.gz; echo $?; gzip -dc < g.gz; echo $?; printf '\\037' | gzip -d; echo $?; printf '\\037\\213' | gzip -d; echo $?; printf '\\037\\213\\007\\0\\0\\0\\0\\0\\0\\003abc' | gzip -d; echo $?",
    "seq 100 | gzip -n > x.gz; head -c 60 x.gz > t.gz; gzip -t t.gz; echo $?; (head -c -8 x.gz; printf 'abcdefgh') > k.gz; gzip -t k.gz; echo $?; (head -c -4 x.gz; printf 'abcd') > l.gz; gzip -t l.gz; echo $?",
    "seq 100 > x; gzip -l x; echo $?; seq 2000 > y; gzip -n < y > y.gz; gzip -l y.gz | awk '{print $2, $4}'; gzip -tv y.gz; gzip -dv y.gz 2>&1 | cut -c1-3; ls",
    "mkdir -p d/e; echo a > d/f; echo b > d/e/g; gzip -r d; find d | sort; gunzip -r d; find d | sort; gzip -rk d; find d | sort",
    "echo a > x; gzip -S .zz x; ls; gunzip -S .zz x.zz; ls; gzip -c x > y.tgz; gunzip y.tgz; ls; gzip -c x > w.z; gunzip w.z; gzip -c x > v-gz; gunzip v-gz; ls",
    "echo a > x; chmod 640 x; touch -d 2020-01-01 x; gzip x; stat -c '%a %y' x.gz; gunzip x.gz; stat -c '%a %y' x; for l in 1 2 3 4 5 6 7 8 9; do seq 1000 | gzip -$l | gunzip | md5sum; done; seq 10 | gzip --best | gzip -d | tail -1; seq 10 | gzip --fast | gzip -d | tail -1",
    "gzip -Q; echo $?; gzip --nope; echo $?; printf '' | gzip -n | gunzip | wc -c; printf '' | gzip -n | od -An -tx1 | head -1; gzip < /dev/null | wc -c; gzip -d < /dev/null; echo $?",
    "seq 3 > a; seq 4 6 > b; gzip a b; zcat a b; zcat a.gz nope b.gz; echo $?; gzip -d a b; ls; gzip -dc a; echo $?; cat a | gzip - | zcat - ; zcat -f a",
  ],
  bzip2: [
    "seq 1000 > x; bzip2 -k x; ls; bzip2 -dc x.bz2 | cmp - x; bunzip2 -f x.bz2; ls; bzip2 x; bzcat x.bz2 | tail -1; bzip2 -t x.bz2; echo $?",
    "bzip2 nope; echo $?; mkdir d; bzip2 d; echo $?; seq 10 > x; bzip2 -k x; bzip2 -k x; echo $?; bzip2 x.bz2; echo $?; bzip2 -d x; echo $?; echo junk > j.bz2; bzip2 -d j.bz2; echo $?; ls",
    "seq 10 | bzip2 | bzip2 -d; printf '' | bzip2 | wc -c; printf '' | bzip2 | bunzip2 | wc -c; head -c 100000 /dev/zero | bzip2 | bunzip2 | md5sum; for l in 1 5 9; do seq 20000 | bzip2 -$l | bunzip2 | md5sum; done",
    "seq 1000 | bzip2 > x.bz2; head -c 100 x.bz2 > t.bz2; bzip2 -t t.bz2; echo $?; cat x.bz2 x.bz2 | bunzip2 | wc -l; bzip2 -tv x.bz2; echo abc | bunzip2; echo $?",
  ],
  xz: [
    "printf %s /Td6WFoAAArh+wyhAgAhARwAAAAQz1jM4ARDAQJdABiCgo8iTvimVffwmaUlDZBFkVpRtJvKrNwFMuyFUp+xSG3v3OhLuWG64JxTf5jIqVQO/D0q0wbXZkQ9VmSmzT3Xxx9E9BjfAgs/4sbGe+Hnf3lEHHm3Qq5luBu1DoThmoIGIzlaf3KqQ/qlmh+SwL5FcXlK1ZPGkAo5rZxlhyq2GjjH4ZMXytA+CeqwUvAQYCbAXl8QkQ25eXh9l0Jg0KY4d+Ej6LsoT4hSLXVYJj9m/eKc69OvYdk1ev/7YrE8fJMc8mS4TRyFKrFcAAY2AUrrvAVI71xotTxxgZ4sbORnBs+FKnUJGYy8F0QNzTxpxjbEnpzS7js1Ej6TUpedidqbMQAAABJVw5SNB0C+buORq+c1ILZSjTvtvhoEXwzL3tW+uINaAAG2AsQIAAA8XzqCtunfHAIAAAAAClla | base64 -d > real.xz; xz -dc real.xz | cksum; xz -dc real.xz | xz -9e -C none | xz -dc | cksum",
    "for c in none crc32 crc64 sha256; do seq 3000 | xz -C $c | xz -dc | cksum; seq 3000 | xz -C $c > x.xz; size=$(stat -c %s x.xz); [ $size -lt 7000 ] && echo small; printf '\\0\\0\\0\\0\\0\\0\\0\\0' | dd of=x.xz bs=1 conv=notrunc seek=$((size - 40)) 2>/dev/null; xz -t x.xz 2>/dev/null; echo $?; done",
    "for l in 0 1 3 6 9 0e; do (seq 20000; head -c 200000 /dev/zero; seq 20000) | xz -$l | xz -dc | cksum; done; (seq 1 5000; seq 1 5000) > f; tar cJf f.txz f; tar tf f.txz; [ $(stat -c %s f.txz) -lt 20000 ] && echo small",
    "seq 1000 > x; xz -k x; ls; xz -dc x.xz | cmp - x; unxz -f x.xz; ls; xz x; xzcat x.xz | tail -1; xz -t x.xz; echo $?",
    "xz nope; echo $?; mkdir d; xz d; echo $?; seq 10 > x; xz -k x; xz -k x; echo $?; xz x.xz; echo $?; cp x.xz y; xz -d y; echo $?; echo junk > j.xz; xz -d j.xz; echo $?; ls",
    "seq 10 | xz | xz -d; printf '' | xz | xz -d | wc -c; head -c 300000 /dev/zero | xz | unxz | md5sum; seq 200000 | xz -1 | xzcat | md5sum; cat /dev/null | xz | wc -c",
    "seq 1000 | xz > x.xz; head -c 100 x.xz > t.xz; xz -t t.xz; echo $?; cat x.xz x.xz | unxz | wc -l; xz -d < /dev/null; echo $?",
    "printf %s /Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AAjAA5dADSYSq7wRxbbqeGQ2EAAAAAAi8Y3kYIfqSUAASokNjYBNR+2830BAAAAAARZWg== | base64 -d | xz -t; echo $?",
  ],
  zstd: [
    "seq 1000 > x; zstd -q x; ls; zstd -dqc x.zst | cmp - x; rm x; unzstd -q x.zst; ls; zstdcat x.zst | tail -1; zstd -tq x.zst; echo $?",
    "seq 1000 | zstd -c | zstd -dc | md5sum; seq 1000 | zstd -19 -c | zstd -d | md5sum; printf '' | zstd | zstd -d | wc -c; zstd -q nope; echo $?; seq 3 > x; zstd -q --rm x; ls",
  ],
  wrappers: [
    "seq 20 | gzip > a.gz; seq 15 30 | gzip > b.gz; zgrep 1 a.gz | wc -l; zgrep -c 1 a.gz b.gz; zgrep -n 7 a.gz; zgrep -h 20 a.gz b.gz; zgrep -H 20 a.gz; zgrep -l 30 a.gz b.gz; zgrep nope a.gz; echo $?; zgrep -e 3 -e 4 a.gz; echo x | gzip | zgrep x",
    "seq 20 > a; gzip -k a; zgrep -i '^1$' a.gz; zgrep 20 a; zgrep 1 nope.gz; echo $?; zegrep '1|2' a.gz | wc -l; zfgrep 1 a.gz | wc -l; zgrep -v 1 a.gz | head -2; zgrep -A1 -m1 5 a.gz",
    "seq 5 | gzip > a.gz; seq 6 | gzip > b.gz; zdiff a.gz b.gz; echo $?; zdiff a.gz a.gz; echo $?; seq 5 > a; zdiff a.gz; echo $?; zcmp a.gz a.gz; echo $?; zdiff -q a.gz b.gz > /dev/null; echo $?",
  ],
};

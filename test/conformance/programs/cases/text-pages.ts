import type { Scripts } from "../../recorded-case.ts";

export const scripts: Scripts = {
  pr: [
    "seq 6 > f; pr -t -2 f; pr -t -3 -a f",
    "seq 6 > f; seq 3 > g; pr -m -t f g; pr -s: -m -t f g",
    "seq 6 > f; pr -t -n f; pr -t -n:3 f",
    "seq 6 > f; pr -t -o 3 f; pr -t -s, -2 f",
    "seq 6 > f; pr -t -d f; pr -2 -t -w 20 f",
    "seq 6 > f; pr -t -l 2 -2 f; pr -t -S' | ' -2 f",
    "seq 6 > f; pr -h X -D DATE -l 15 f",
    "seq 100 > f; pr -D DATE f",
    "seq 7 > f; pr -3 -t f; pr -2 -D D f | tail -70 | head -10",
    "seq 6 > f; pr nosuch; pr -t -N 5 -n f",
    "seq 6 > f; pr -x; pr -l x f; pr -w x f; pr -0 f; pr -o x f",
    "seq 200 > f; pr -D D +3 f | head -8; pr -D D --pages=2:2 f | head -8",
    "seq 6 > f; pr -t -F f; pr -D D -F -l 12 f | od -c | head -20",
    "printf 'a long line that is cut\\nb\\n' | pr -t -2 -w 20; printf 'a long line that is cut\\nb\\n' | pr -t -W 10",
    "pr -t < /dev/null; pr -D D < /dev/null; printf 'x' | pr -t; mkdir d; pr d",
    "seq 6 > f; seq 3 > g; pr -t -n -m f g",
    "seq 6 > f; pr -t -n: -3 f",
    "seq 6 > f; pr -t -J -2 f; pr -t -s -2 f",
    "printf 'a\\tb\\nc\\n' | pr -t -2; printf 'a\\tb\\nc\\n' | pr -t",
    "seq 6 > f; pr -t -2 -o 4 f",
  ],
  printf: [
    "/usr/bin/printf '%d %5d|%-5d|%05d\\n' 1 2 3 4",
    "/usr/bin/printf '%x %X %o %#x %#o\\n' 255 255 8 255 8",
    "/usr/bin/printf '%f %.2f %e %g\\n' 1.5 2.345 1000 0.0001",
    "/usr/bin/printf '%q\\n' 'a b' \"it's\" ''",
    "/usr/bin/printf '%*d|%-*d|\\n' 5 1 5 2; /usr/bin/printf '%.*f\\n' 2 3.14159",
    "/usr/bin/printf; /usr/bin/printf '%d\\n' x; /usr/bin/printf '%d\\n' 1x",
    "/usr/bin/printf '%d\\n' 99999999999999999999; /usr/bin/printf 'x\\n' extra",
    "/usr/bin/printf '%'; /usr/bin/printf '%5'; /usr/bin/printf '%s %s\\n' a b c",
  ],
  column: [
    "printf 'a\\303\\251 b\\n\\377x y\\n' | column -t; printf 'a\\303\\251 b\\n\\377x y\\n' | column",
  ],
};

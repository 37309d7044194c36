import type { Scripts } from "../../recorded-case.ts";

export const scripts: Scripts = {
  sort: [
    "printf '%s\\n' 10 9 2 1 -5 3.5 3.25 '' abc 1e3 0x10 ' 7' | sort -n",
    "printf '%s\\n' 10 9 2 1 -5 3.5 3.25 '' abc 1e3 ' 7' | sort -g",
    "printf '%s\\n' 1K 2M 3 500 1G 10K -1K | sort -h",
    "printf '%s\\n' b A a B c C | sort; printf '%s\\n' b A a B c C | sort -f; printf '%s\\n' b A a B | sort -r; printf '%s\\n' b A a B | sort -fr",
    "printf 'a 3\\nb 1\\nc 2\\na 1\\n' | sort -k2; printf 'a 3\\nb 1\\nc 2\\na 1\\n' | sort -k2n; printf 'a 3\\nb 1\\nc 2\\na 1\\n' | sort -k1,1 -k2,2nr; printf 'a 3\\nb 1\\nc 2\\na 1\\n' | sort -k1,1 -s",
    "printf 'a:3:x\\nb:1:y\\nc:2:z\\n' | sort -t: -k2; printf 'a:3:x\\nb:1:y\\n' | sort -t : -k 3r; printf 'a::3\\nb::1\\n' | sort -t: -k3n; printf 'x1\\nx10\\nx2\\n' | sort -k1.2n",
    "printf 'JAN\\nDEC\\nFEB\\nfoo\\nmar\\n' | sort -M; printf 'v1.10\\nv1.9\\nv1.2.3\\nv2\\n' | sort -V; printf 'a\\nb\\na\\n' | sort -u; printf 'b 1\\na 1\\n' | sort -u -k2; printf 'a\\0c\\0b\\0' | sort -z | tr '\\0' '\\n'",
    "printf 'b\\na\\n' | sort -c; echo $?; printf 'a\\nb\\n' | sort -c; echo $?; printf 'b\\na\\n' | sort -C; echo $?; printf 'a\\na\\n' | sort -cu; echo $?; printf 'c\\n' > f; sort -c f nope; echo $?",
    "printf '  b\\n a\\nc\\n' | sort; printf '  b\\n a\\nc\\n' | sort -b; printf 'x  b\\nx a\\n' | sort -k2; printf 'x  b\\nx a\\n' | sort -k2b; printf 'x  b\\nx a\\n' | sort -b -k2",
    "sort nope; echo $?; sort -k 0; echo $?; sort -k x; sort -t ab; sort -t ''; sort --bad; sort -n -g; sort -nM; sort -k1.0; sort -k; sort --sort=bad; mkdir d; sort d; sort -o nodir/x /dev/null",
    "printf 'a-b\\nab\\na b\\nA\\n' | sort -d; printf 'a\\001b\\nab\\n' | sort -i | od -c | head -2; printf '1\\n01\\n1.0\\n' | sort -n; printf '1\\n01\\n1.0\\n' | sort -nu; printf '3\\n10\\n' | sort -rn; printf '123456789012345678901\\n123456789012345678902\\n3\\n' | sort -n; printf '%s\\n' -- -1 -10 5 | sort -n; printf '.5\\n.25\\n0.3\\n-.1\\n' | sort -n",
    "printf 'a,b c\\nd,a b\\n' | sort -t, -k2,2; printf 'k 5 z\\nk 10 y\\n' | sort -k2,2n -k3; printf 'a1 b3\\na1 b2\\na0 b9\\n' | sort -k1.2,1.2n -k2.2,2.2nr; printf 'one two\\none\\n' | sort -k2,2; printf 'aXb\\nAxb\\n' | sort -k1f,1; printf 'B\\na\\nC\\n' | sort -k1,1f -r; printf '2 b\\n1 a\\n' | sort -k1,1n -k2r",
    "printf '\u00e9\\nz\\na\\n' | sort | od -c | head -2; printf 'no newline' | sort; printf 'b\\na' | sort; printf '\\n\\na\\n' | sort | od -c; printf '' | sort; printf 'a\\n\\nb\\n' | sort -u; printf 'x\\n' | sort - f 2>&1; sort -R < /dev/null; echo $?; seq 20 | sort -R | sort -n | head -3; printf 'b\\nB\\na\\nA\\n' | sort -fs; printf 'b\\nB\\na\\nA\\n' | sort -fu",
  ],
};

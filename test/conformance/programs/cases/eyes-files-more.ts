import type { Scripts } from "../../recorded-case.ts";

export const scripts: Scripts = {
  cp: [
    "printf 'a b\\n' > f; cp f \"$(printf 'x\\ny')\"; ls | cat -A; ls -b; ls --quoting-style=shell-escape; find . -name 'x*' -print0 | od -c | head -2; rm -v x*; stat -c %N f; wc ./*; du -b f",
    "echo aaa > a; echo bbb > b; cat a b > c; cat a - b <<< middle; cat c | tee d e | sort -r; cmp c d; ls -1 | wc -l; cp -v a x; mv -v x y; ln -v a z; ln -sv a s; rm -v y z s; mkdir -v m; rmdir -v m; install -v a n; touch -d '1 hour ago' o; [ o -ot a ] && echo old; cp -u o a; cat a; cp -b a b; cat b~; mv -b a b; ls; cp -n c b; cat b; cp --backup=numbered c b; ls b*; mv -i c b < /dev/null; echo; ls; rm -i b < /dev/null; echo; rm -f nothere; echo $?; rm -rf nothere; echo $?; chmod 644 b; stat -c '%a %s %F' b; truncate -s 100 b; stat -c %s b; wc -c < b; : > b; stat -c '%F' b",
  ],
  md5sum: ["printf 'a b\\n' > f; md5sum f | cut -c1-32; file f"],
  pr: [
    "printf '1\\n2\\n3\\n4\\n5\\n' > f; sed -n '2,4p' f | tac; head -n3 f | tail -n1; split -l2 f; cat xaa xab xac | cmp - f && echo ok; paste -d' ' - - < f; pr -t -2 f; pr -3 -t -l2 f; column -c 16 f; fold -w 1 f | wc -l",
  ],
  sort: [
    "printf '1\\n2\\n3\\n4\\n5\\n' > f; nl f | cut -f2 | sort -rn | head -2; od -An -c f | head -1; join f f | wc -l; comm -12 f f | wc -l; tr '\\n' ' ' < f | fmt -w 5; shuf f | sort | cmp - f; csplit -s -f c f 3 && cat c01; expand f | unexpand | cmp - f; seq 5 | cmp - f",
  ],
  xargs: [
    "printf '1\\n2\\n3\\n4\\n5\\n' > f; expr $(wc -l < f) \\* 2; xargs -n2 < f; xargs -I{} echo \"<{}>\" < f | head -2; tee c1 c2 < f | wc -l; cmp c1 c2; truncate -s -2 c1; tail -c2 c1 | od -c; dd if=f bs=2 skip=1 count=2 status=none; numfmt --to=si < f | tail -1; factor $(cat f)",
  ],
  find: [
    "mkdir -p proj/{src,test,docs}; touch proj/src/{a,b,c}.js proj/test/a.test.js proj/docs/README.md; find proj -type f | sort; ls -R proj; find proj -name '*.js' -not -path '*/test/*' | sort; cp -r proj bak; find bak -type f | wc -l; mv proj/src/a.js proj/src/z.js; ls proj/src; rm -r bak/docs; ls bak",
    "mkdir -p proj/{src,test,docs}; touch proj/src/{a,b,c}.js proj/test/a.test.js proj/docs/README.md; ln -s proj/src link; ls link; ls -l link | sed 's/.* link/link/'; find -L link -name '*.js' | sort; find . -type l; readlink link; realpath --relative-to=. link; du -s --inodes proj; tree proj",
    "mkdir -p proj/{src,test,docs}; touch proj/src/{a,b,c}.js proj/test/a.test.js proj/docs/README.md; rmdir proj/docs; rm -f proj/docs/*; rmdir proj/docs; ls proj; find proj -type d -empty; find proj -type f -size 0 | wc -l; basename -a $(find proj/src -name '*.js' | sort); dirname proj/src/b.js; chmod -R a-w proj/test; stat -c %A proj/test; chmod -R u+w proj; touch proj/new && ls -t proj | head -1",
  ],
  date: [
    "date -u -d '20240102' +%F; date -u -d '20240102 0304' +%T; date -u -d 'Jan 5 2024 3pm' +%T; date -u -d '5 Jan' +%m-%d; date -u -d '2024-01-01T05:06:07+02:00' +%T; date -u -d '1 month ago' +%F > /dev/null; echo $?; date -u -d '2024-03-31 1 month ago' +%F; date -u -d 'noon 2024-01-01' +%T; date -u -d 'midnight 2024-01-01' +%T",
    "date -u -d '2024-W05'; echo $?; date -u -d '' +%T; date -u -d ' ' +%T; date -u -Iminutes -d @0; date -u -Ins -d @0; date -Ibad; echo $?; date --iso-8601=h -u -d @0; date -u --rfc-3339=bad; echo $?; date -u -d @1e3; echo $?",
    "date -u -d @-1 +%F; date -u -d '1970-01-01 00:00:00.5' +%s.%N; date -u +'%%%n%t%%' | od -c | head -1",
  ],
};

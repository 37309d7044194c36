import type { Scripts } from "../../recorded-case.ts";

/** Files at a fixed time. */
const tree =
  "umask 022; mkdir -p d/e; echo a > d/f; head -c 4000 /dev/zero | tr '\\0' a > d/e/g; touch -d '2020-01-02 03:04:06 UTC' d/f d/e/g d/e d; ";
const made = `${tree}zip -q a.zip d d/f d/e d/e/g; `;

export const scripts: Scripts = {
  zip: [
    `${tree}zip a.zip d/f d/e/g; echo $?; unzip -l a.zip; zip -r b d/e d/f; ls; unzip -l b.zip`,
    `${tree}zip -q a.zip d/f; zip -r a.zip d/f; zip -j j.zip d/f d/e/g; unzip -l j.zip; zip -0 s.zip d/e/g; unzip -v s.zip; zip -D -r n.zip d/e; unzip -l n.zip`,
    `${tree}zip -r x.zip d -x 'd/e/*'; zip -r i.zip d -i '*g'; echo d/e/g | zip z.zip -@; zip -r y.zip d -x '*f' d/e/; unzip -Z1 x.zip i.zip; zipinfo -1 y.zip`,
    `${made}zip -d a.zip d/f; unzip -Z1 a.zip; zip -d a.zip nope; echo $?; zip -d a.zip 'd/e*'; unzip -Z1 a.zip; zip -d a.zip 'd*'; ls`,
    `${made}zip -u a.zip d/f; echo $?; echo newer > d/f; zip -u a.zip d/f; echo $?; unzip -p a.zip d/f; echo new > n; zip -u a.zip n d/e/g; unzip -Z1 a.zip; touch -d 2030-01-01 d/e/g n; zip -f a.zip d/e/g; echo x > m; zip -f a.zip m; echo $?`,
    `${tree}zip -m a.zip d/f; ls d; zip -mr a.zip d; ls; unzip -q a.zip; find d | sort`,
    "zip a.zip nope; echo $?; zip a.zip; echo $?; touch x; zip a.zip nope x; echo $?; unzip -Z1 a.zip; zip -Q a.zip x; echo $?; zip --nope a.zip x; echo $?; echo junk > j.zip; zip j.zip x; echo $?",
    `${tree}zip - d/e/g > s.zip; unzip -p s.zip | cmp - d/e/g; seq 10 | zip p.zip -; unzip -p p.zip; zip -q a.zip d/f; zip -T a.zip; zip -qT a.zip d/e/g; echo $?`,
    `${tree}ln -s f d/l; touch -hd '2020-01-02 03:04:06 UTC' d/l; zip -y y.zip d/l d/f; unzip -l y.zip; mkdir o; unzip y.zip -d o; readlink o/d/l; zip n.zip d/l; unzip -p n.zip d/l; ln -s gone d/dead; zip n.zip d/dead; echo $?`,
    `${tree}zip -9q a.zip d/e/g; zip -1q b.zip d/e/g; unzip -p a.zip | cmp - d/e/g; unzip -p b.zip | cmp - d/e/g; chmod 700 d/f; zip -q m.zip d/f; rm d/f; unzip -q m.zip; stat -c '%a %Y' d/f; printf '' > empty; zip e.zip empty; unzip -v e.zip | grep -v empty`,
  ],
  unzip: [
    `${made}unzip -l a.zip; unzip -v a.zip | cut -c1-16,33-; unzip -t a.zip; unzip -tq a.zip; unzip -tqq a.zip; unzip -ql a.zip; unzip -qql a.zip`,
    `${made}mkdir o; unzip a.zip -d o; find o | sort; unzip a.zip -d o < /dev/null; echo $?; unzip -o a.zip -d o; unzip -n a.zip -d o; echo $?; unzip -qo a.zip -d o; stat -c '%a %Y %n' o/d/f; stat -c %a o/d/e`,
    `${made}unzip -p a.zip d/f; unzip -c a.zip d/f; unzip -l a.zip 'd/e*'; unzip -l a.zip d/f nope; echo $?; unzip a.zip nope -d o; echo $?; unzip -l a.zip -x 'd/e/*'; unzip -p a.zip '*f'; unzip -j a.zip -d j; find j | sort`,
    `${made}unzip nope; echo $?; unzip nope.zip; echo $?; echo junk > j.zip; unzip j.zip; echo $?; unzip -l j.zip; echo $?; head -c 100 a.zip > t.zip; unzip t.zip; echo $?; unzip a; ls; mkdir q; unzip q; echo $?`,
    `${made}(echo prefix; cat a.zip) > p.zip; unzip -l p.zip; echo $?; unzip -t p.zip; echo $?`,
    "printf '%s' UEsDBBQAAAAAAIMYIlBj8/OtBAAAAAQAAAAEAAAALi4veGRhdGFQSwMEFAAAAAAAgxgiUGPz860EAAAABAAAAAQAAAAvYWJzZGF0YVBLAwQUAAAAAACDGCJQY/PzrQQAAAAEAAAAAgAAAG9rZGF0YVBLAQIUAxQAAAAAAIMYIlBj8/OtBAAAAAQAAAAEAAAAAAAAAAAAAAC0gQAAAAAuLi94UEsBAhQDFAAAAAAAgxgiUGPz860EAAAABAAAAAQAAAAAAAAAAAAAALSBJgAAAC9hYnNQSwECFAMUAAAAAACDGCJQY/PzrQQAAAAEAAAAAgAAAAAAAAAAAAAAtIFMAAAAb2tQSwUGAAAAAAMAAwCUAAAAcAAAAAAA | base64 -d > e.zip; unzip -l e.zip; mkdir o; cd o; unzip ../e.zip; echo $?; cd ..; ls o; ls; unzip -t e.zip; echo $?",
    `${made}zipinfo -1 a.zip; unzip -Z1 a.zip d/f; zipinfo a.zip | head -1; zipinfo -h a.zip | cut -c1-14; zipinfo nope; echo $?; unzip -Z1 a.zip nope; echo $?`,
    `${tree}zip -q a.zip d/f; echo new > d/f; printf 'n\\n' | unzip a.zip; cat d/f; printf 'y\\n' | unzip a.zip; cat d/f; echo again > d/f; touch -d 2030-01-01 d/f; unzip -u a.zip; cat d/f; unzip -uo a.zip; cat d/f; touch -d 2010-01-01 d/f; unzip -fo a.zip; cat d/f`,
  ],
};

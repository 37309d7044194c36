import type { Scripts } from "../../recorded-case.ts";

const classes =
  "for c in alnum alpha blank cntrl digit graph lower print punct space upper xdigit; do " +
  "[[ $x == [[:$c:]] ]] && printf ' %s' $c; done; echo";

export const scripts: Scripts = {
  "bytes that are no character": [
    `x=$'\\xff'; printf '%d %x' "'$x" "'$x"; ${classes}`,
    `LC_ALL=C.UTF-8; x=$'\\xff'; printf '%d %x' "'$x" "'$x"; ${classes}`,
    `x=$'\\xe9'; ${classes}; [[ $x == [!a] ]] && echo other; [[ $x == ? ]] && echo one`,
    `LC_ALL=C.UTF-8; x=$'\\xe9'; ${classes}; [[ $x == [!a] ]] && echo other; [[ $x == ? ]] && echo one`,
    "x=$'a\\xc3\\xa9z'; printf '%s\\n' ${x//[[:alpha:]]/_} ${x##*[[:print:]]} ${x#??} | od -An -c",
    "LC_ALL=C.UTF-8; x=$'a\\xc3\\xa9z'; printf '%s\\n' ${x//[[:alpha:]]/_} ${x#??} | od -An -c",
    "x=$'\\xc3\\xa9'; printf '%d %d\\n' \"'$x\" \"'${x:1}\"",
    "LC_ALL=C.UTF-8; x=$'\\xc3\\xa9'; printf '%d %d\\n' \"'$x\" \"'${x:1}\"",
    "x=$'\\xa0b'; [[ $x == [[:space:]]b ]] || echo no; [[ $x == [$'\\x80'-$'\\xff']b ]] && echo range",
  ],
};

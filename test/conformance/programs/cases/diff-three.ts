import type { Scripts } from "../../recorded-case.ts";

const three =
  "seq 10 > o; (echo 0; seq 4; echo five; seq 6 8; echo mine; seq 10) > m; (seq 4; echo 5yours; seq 6 10; echo more) > y; ";
const apart = "seq 12 > o; (echo one; seq 2 12) > m; (seq 11; echo twelve) > y; ";

export const scripts: Scripts = {
  diff3: [
    `${three}diff3 m o y; echo $?; diff3 y o m; diff3 o m y`,
    `${apart}diff3 m o y; echo $?; diff3 -m m o y; echo $?; diff3 -m -L a -L b -L c m o y`,
    `${three}diff3 -m m o y; echo $?; diff3 -m -E m o y; echo $?; diff3 -m -L MINE -L OLD -L YOURS m o y`,
    "seq 5 > o; (seq 2; echo x; seq 4 5) > m; cp m y; diff3 m o y; diff3 -m m o y; echo $?; diff3 -m -E m o y; echo $?; diff3 o o o; echo $?",
    "seq 5 > o; seq 4 > m; seq 6 > y; diff3 m o y; diff3 -m m o y; echo $?; printf '' > e; diff3 e o y; diff3 -m e o o; echo $?",
    "seq 5 > o; (echo 0; seq 5) > m; (seq 5; echo 6) > y; diff3 -m m o y; echo $?; diff3 m o - < y; diff3 -T m o y; (seq 2; echo a; seq 3 5) > m; (seq 2; echo b; seq 3 5) > y; diff3 m o y; diff3 -m m o y",
    "diff3; echo $?; touch a; diff3 a a; echo $?; diff3 a a a a; echo $?; diff3 -z a a a; echo $?; diff3 a a nope; echo $?",
  ],
  sdiff: [
    "seq 5 > a; (seq 2; echo x; seq 4 6) > b; sdiff a b; echo $?; sdiff -w 40 a b; sdiff -s a b; sdiff -l -w 40 a b; sdiff a a > /dev/null; echo $?",
    "printf 'A b\\n' > a; printf 'a  b\\n' > b; sdiff -w 30 -i a b; sdiff -w 30 -ib a b; echo $?; sdiff -w 30 -iW a b; echo $?; sdiff -t -w 30 a b; sdiff; echo $?; sdiff a; echo $?; sdiff a b c; echo $?",
  ],
};

import { randomInt } from "node:crypto";

const first = [
  "amber",
  "brisk",
  "calm",
  "clear",
  "coral",
  "dusky",
  "early",
  "fleet",
  "gentle",
  "hazel",
  "ivory",
  "jade",
  "keen",
  "lunar",
  "mellow",
  "noble",
  "opal",
  "quiet",
  "rapid",
  "silver",
  "tidy",
  "umber",
  "vivid",
  "warm",
];
const second = [
  "badger",
  "crane",
  "dove",
  "elk",
  "finch",
  "fox",
  "gecko",
  "heron",
  "ibis",
  "jay",
  "kite",
  "lark",
  "lynx",
  "marten",
  "newt",
  "otter",
  "owl",
  "pike",
  "quail",
  "raven",
  "seal",
  "stoat",
  "tern",
  "wren",
];
const letters = "abcdefghjkmnpqrstuvwxyz23456789";

/** A name people can say and nobody guesses: `amber-fox-7k2q`. */
export function makeVmName(): string {
  const tail = Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return `${first[randomInt(first.length)]}-${second[randomInt(second.length)]}-${tail}`;
}

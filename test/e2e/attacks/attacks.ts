// Every attack on a VM by JavaScript: the kinds of executors.md's measurements and issue 4's paragraph.
import type { Attack } from "./attack.ts";
import { endlessAttacks } from "./endless-attacks.ts";
import { escapeAttacks } from "./escape-attacks.ts";
import { heapAttacks } from "./heap-attacks.ts";
import { stackAttacks } from "./stack-attacks.ts";
import { thrownAttacks } from "./thrown-attacks.ts";

export const allAttacks: readonly Attack[] = [
  ...heapAttacks,
  ...stackAttacks,
  ...endlessAttacks,
  ...thrownAttacks,
  ...escapeAttacks,
];

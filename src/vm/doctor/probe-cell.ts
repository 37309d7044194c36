// A cell that behaves badly: it enters the jail like every cell, tries every attack, and reports on
// the wire. It keeps a way to call natively, as an attacker would have after a hole in V8.
import { Socket } from "node:net";
import { enterJail } from "../cell/jail/enter-jail.ts";
import { readJailOptions } from "../confinement/jail-options.ts";
import { openLibc } from "../confinement/libc.ts";
import { type AttackResult, type AttackTargets, tryAttack } from "./attack.ts";
import { nativeAttacks } from "./native-attacks.ts";
import { nodeAttacks } from "./node-attacks.ts";
import type { ProbeReport } from "./run-probe.ts";

const opened = openLibc();
const libc = typeof opened === "string" ? undefined : opened;
const { layers } = enterJail(readJailOptions(process.argv));
const targets: AttackTargets = JSON.parse(process.argv[3] ?? "");
const attacks: AttackResult[] = [];
for (const attack of [...nodeAttacks, ...nativeAttacks])
  attacks.push(await tryAttack(attack, targets, libc));
const report: ProbeReport = { layers, attacks };
new Socket({ fd: 3, readable: true, writable: true }).end(JSON.stringify(report));

// Runs a build's guest script in a new isolate and keeps its state: `make-guest-snapshot.mjs <dist>/guest`.
// A process of its own, since isolated-vm wants Node's own snapshot to be off where it makes one.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";

const directory = process.argv[2];
if (directory === undefined) throw new Error("usage: make-guest-snapshot.mjs <directory>");
const ivm = createRequire(import.meta.url)("isolated-vm");
const { scripts, rehearsal } = JSON.parse(readFileSync(join(directory, "scripts.json"), "utf8"));
// For %CreatePrivateSymbol alone; the isolates that start from the snapshot do not have the syntax.
setFlagsFromString("--allow-natives-syntax");
const snapshot = ivm.Isolate.createSnapshot(scripts, rehearsal);
writeFileSync(join(directory, "snapshot.bin"), Buffer.from(snapshot.copy()));

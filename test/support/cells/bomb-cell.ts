// Enters the jail, says "ready" on the wire, then takes memory for ever: of the heap, or outside it.
import { writeSync } from "node:fs";
import { enterJail } from "../../../src/vm/cell/jail/enter-jail.ts";
import { readJailOptions } from "../../../src/vm/confinement/jail-options.ts";

enterJail(readJailOptions(process.argv));
writeSync(3, "ready\n");
const kept: unknown[] = [];
for (;;)
  kept.push(
    process.argv[3] === "heap"
      ? Array.from({ length: 10_000 }, () => ({}))
      : Buffer.alloc(1 << 20, 1),
  );

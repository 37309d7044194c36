// Enters the jail, says "ready" on the wire, then never returns to its event loop.
import { writeSync } from "node:fs";
import { enterJail } from "../../../src/vm/cell/jail/enter-jail.ts";
import { readJailOptions } from "../../../src/vm/confinement/jail-options.ts";

enterJail(readJailOptions(process.argv));
writeSync(3, "ready\n");
for (;;);

// Enters the jail and floods its log before it ends well.
import { writeSync } from "node:fs";
import { enterJail } from "../../../src/vm/cell/jail/enter-jail.ts";
import { readJailOptions } from "../../../src/vm/confinement/jail-options.ts";

enterJail(readJailOptions(process.argv));
process.stderr.on("error", () => process.exit(0));
writeSync(2, "first line\n");
const line = `${"x".repeat(9_999)}\n`;
const write = (): void => {
  process.stderr.write(line, () => setImmediate(write));
};
write();

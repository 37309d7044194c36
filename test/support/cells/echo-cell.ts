// Enters the jail, says "ready" with its report as one JSON line on the wire, then echoes what comes.
import { Socket } from "node:net";
import { enterJail } from "../../../src/vm/cell/jail/enter-jail.ts";
import { readJailOptions } from "../../../src/vm/confinement/jail-options.ts";

const report = enterJail(readJailOptions(process.argv));
const wire = new Socket({ fd: 3, readable: true, writable: true });
wire.write(`${JSON.stringify({ ready: true, ...report })}\n`);
wire.on("data", (chunk) => wire.write(chunk));

// Enters the jail, and imports a module of its own code only then; its exports' names go to the wire.
import { Socket } from "node:net";
import { enterJail } from "../../../src/vm/cell/jail/enter-jail.ts";
import { readJailOptions } from "../../../src/vm/confinement/jail-options.ts";

enterJail(readJailOptions(process.argv));
const wire = new Socket({ fd: 3, readable: true, writable: true });
const module = await import("../../../src/vm/broker/cell-process/cell-watch.ts");
const dependency = await import("yaml");
wire.end(JSON.stringify([Object.keys(module).sort(), typeof dependency]));

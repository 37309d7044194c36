// The entry of a cell: enters the jail, loads what a first command needs, and says it is ready.
import { Socket } from "node:net";
import { readJailOptions } from "../confinement/jail-options.ts";
import { preloadPrograms } from "../executors/program/preload.ts";
import { FrameChannel } from "../wire/frame-channel.ts";
import type { FromCell, ToCell } from "../wire/messages.ts";
import { Cell, makeImage } from "./cell.ts";
import { enterJail } from "./jail/enter-jail.ts";
import { warmUp } from "./warm-up.ts";

/** The wire's descriptor, see broker/cell-process. */
const WIRE_FD = 3;

enterJail(readJailOptions(process.argv));
await preloadPrograms();
const image = makeImage();
await warmUp(image);

const channel = new FrameChannel(new Socket({ fd: WIRE_FD, readable: true, writable: true }), {
  onFrame: (header, body) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server is trusted and ships with this code
    cell.receive(header as ToCell, body);
  },
});
const send = (message: FromCell, body?: Uint8Array): void => {
  channel.send(message, body).catch((error: unknown) => {
    process.stderr.write(`the wire is gone: ${String(error)}\n`);
    process.exit(1);
  });
};
const cell = new Cell(image, send);
send({ type: "ready" });
await channel.closed;
process.exit(0);

// How a MessagePort that scripts see points at its inner life.
import { privateSymbol } from "../../statics.ts";
import type { PortData } from "./port-data.ts";

/** What messages need to know of a port. */
export interface MovablePort {
  readonly isDetached: boolean;
  /** Gives its data away; the port itself is over. */
  transfer(): PortData;
}

export const portSymbol = privateSymbol("node:message_port");

export function portOf(object: any): MovablePort | undefined {
  return typeof object === "object" && object !== null ? object[portSymbol] : undefined;
}

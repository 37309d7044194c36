// The entry of the process that checks types: in the same jail as a cell, it answers one check after the other
// and ends with its wire.
import { registerHooks } from "node:module";
import { Socket } from "node:net";
import { pathToFileURL } from "node:url";
import { enterJail } from "../../cell/jail/enter-jail.ts";
import { readJailOptions } from "../../confinement/jail-options.ts";
import { FrameChannel } from "../../wire/frame-channel.ts";
import type { CheckRequest } from "../type-check.ts";

const WIRE_FD = 3;

enterJail(readJailOptions(process.argv));
// Node would walk to the package from here, through folders and links that a jail does not show.
const typescript = pathToFileURL(process.argv[3] ?? "").href;
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === "typescript-6"
      ? { url: typescript, format: "commonjs", shortCircuit: true }
      : nextResolve(specifier, context),
});
const { CodeCheck } = await import("./check-code.ts");
const check = new CodeCheck();
// Reads and binds TypeScript's library, which takes longer than any check after it.
check.check({ code: "await tools.a.b(1)", tools: "declare const tools: any;" });

const answer = (body: Uint8Array): object => {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server is trusted and ships with this code
    const request = JSON.parse(new TextDecoder().decode(body)) as CheckRequest;
    return { problems: check.check(request) };
  } catch (error) {
    // Code that is nested deeper than the stack; anything else is a bug of TypeScript's or ours.
    return { failure: error instanceof RangeError ? "it is nested too deeply" : String(error) };
  }
};

const channel = new FrameChannel(new Socket({ fd: WIRE_FD, readable: true, writable: true }), {
  onFrame: ({ type, id }, body) => {
    const text = JSON.stringify(type === "check" ? answer(body) : {});
    return channel.send({ type: "checked", id }, new TextEncoder().encode(text));
  },
});
await channel.send({ type: "ready" });
await channel.closed;
process.exit(0);

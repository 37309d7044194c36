// The script that the snapshot is made of: Node's library on our bindings, ready to start.

import { bootstrap } from "./boot/bootstrap.ts";
import { prepare, setNodeSymbols, start } from "./boot/start.ts";

const node = bootstrap();
for (const name of ["__library", "__compiled", "__keep", "__privateSymbol"])
  Reflect.deleteProperty(globalThis, name);
setNodeSymbols(() => ({
  ...node.internalBinding("symbols"),
  ...node.internalBinding("util").privateSymbols,
}));

/** Taken away by the executor before any guest code runs. */
Object.defineProperty(globalThis, "__guest", {
  configurable: true,
  value: { prepare, start: () => start(node) },
});

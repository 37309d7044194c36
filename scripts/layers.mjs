// Runs dependency-cruiser with a TypeScript it knows: it reads sources through the compiler's
// JavaScript API, which TypeScript 7 does not have. Takes dependency-cruiser's arguments.
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { findCommand } from "./find-command.mjs";

registerHooks({
  resolve(specifier, context, nextResolve) {
    return nextResolve(specifier.replace(/^typescript(?=$|\/)/, "typescript-6"), context);
  },
});

const command = findCommand("depcruise");
if (command === undefined) throw new Error("dependency-cruiser is not installed.");
await import(pathToFileURL(command).href);

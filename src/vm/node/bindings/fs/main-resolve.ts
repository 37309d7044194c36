// The main file of a package without exports, as node_file.cc's legacyMainResolve.
import { call } from "../../channel.ts";
import { codedError } from "../../errors.ts";
import { loaders } from "../builtins.ts";
import type { Any } from "./operation.ts";

const withMain = ["", ".js", ".json", ".node", "/index.js", "/index.json", "/index.node"];
const withoutMain = [".js", ".json", ".node"];

/** Which of the ten ways leads to a file. */
export function legacyMainResolve(packagePath: string, main: Any, base: Any): number {
  const { resolve } = loaders.require("path");
  let wanted: string | undefined;
  if (typeof main === "string") {
    wanted = resolve(packagePath, main);
    const found: number = call("findFile", wanted ?? "", withMain.join("\n"));
    if (found >= 0) return found;
  }
  const index: string = resolve(packagePath, "./index");
  const found: number = call("findFile", index, withoutMain.join("\n"));
  if (found >= 0) return found + withMain.length;
  if (typeof base !== "string") {
    const words = 'The "base" argument must be of type string or an instance of URL.';
    throw codedError(TypeError as ErrorConstructor, "ERR_INVALID_ARG_TYPE", words);
  }
  const from: string = loaders.require("internal/url").fileURLToPath(base);
  const words = `Cannot find package '${wanted ?? `${index}.js`}' imported from ${from}`;
  throw codedError(Error, "ERR_MODULE_NOT_FOUND", words);
}

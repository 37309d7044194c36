import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Where a program of the host is, by its name. */
export function findProgram(name: string): string | undefined {
  const places = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin", "/bin"];
  return places
    .filter((place) => place.startsWith("/"))
    .map((place) => join(place, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

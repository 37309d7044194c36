// The threat model and the attacks that are tried are one list, and its files exist.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { layerNames } from "../../src/vm/confinement/layer.ts";
import { nativeAttacks } from "../../src/vm/doctor/native-attacks.ts";
import { nodeAttacks } from "../../src/vm/doctor/node-attacks.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const document = readFileSync(`${root}docs/threat-model.md`, "utf8");

describe("docs/threat-model.md", () => {
  it("has a row for every attack with the layers that stop it, and no other", () => {
    const rows = [...document.matchAll(/^\| `([\w-]+)` \| (node|native) \| (.+) \|$/gm)];
    const written = rows.map(([, name, route, layers]) => `${name} ${route}: ${layers}`);
    const tried = [...nodeAttacks, ...nativeAttacks].map(
      ({ name, route, stoppedBy }) => `${name} ${route}: ${stoppedBy.join(", ")}`,
    );
    expect(written.sort()).toEqual(tried.sort());
  });

  it("has a row for every layer", () => {
    const section = document.slice(
      document.indexOf("## How a cell"),
      document.indexOf("## Attacks"),
    );
    const written = [...section.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name ?? "");
    expect(written.sort()).toEqual([...layerNames].sort());
  });

  it("names only files that exist", () => {
    const files = [...document.matchAll(/`((?:src|test)\/[^`]+)`/g)].map(([, file]) => file ?? "");
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => !existsSync(root + file))).toEqual([]);
  });
});

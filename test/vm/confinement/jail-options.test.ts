import { describe, expect, it } from "vitest";
import { readJailOptions } from "../../../src/vm/confinement/jail-options.ts";

describe("readJailOptions", () => {
  it("reads what the starter wrote", () => {
    const options = { parentPid: 7, dropAddons: true, without: ["landlock"] };
    expect(readJailOptions(["node", "entry", JSON.stringify(options)])).toEqual(options);
  });

  it("says how a cell is started when there is nothing to read", () => {
    expect(() => readJailOptions(["node", "entry"])).toThrow(
      "a cell is started by the server, not by hand",
    );
  });

  it.each([
    "null",
    "[]",
    "{}",
    '{"parentPid":"1","dropAddons":false,"without":[]}',
    '{"parentPid":1,"dropAddons":0,"without":[]}',
    '{"parentPid":1,"dropAddons":false,"without":["walls"]}',
    '{"parentPid":1,"dropAddons":false,"without":"landlock"}',
  ])("refuses %s", (text) => {
    expect(() => readJailOptions(["node", "entry", text])).toThrow(
      "the jail's options are not understood",
    );
  });
});

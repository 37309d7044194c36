import { describe, expect, it } from "vitest";
import {
  chooseServerNode,
  NoServerNodeError,
} from "../../../src/mcp-server/connect/server-node.ts";

describe("chooseServerNode", () => {
  it("takes the pinned Node, whatever runs us", () => {
    expect(chooseServerNode("/pinned", { path: "/old", version: "v20.0.0" })).toEqual({
      path: "/pinned",
    });
  });

  it("takes our own Node with a warning where none is pinned", () => {
    const node = chooseServerNode(undefined, { path: "/own", version: "v24.1.0" });
    expect(node.path).toBe("/own");
    expect(node.warning).toBe(
      `There is no pinned Node for ${process.platform}-${process.arch} in this installation; the server runs on v24.1.0.`,
    );
  });

  it.each(["v20.20.2", "v22.0.0", "v8.0.0"])("refuses %s and says what to install", (version) => {
    expect(() => chooseServerNode(undefined, { path: "/own", version })).toThrow(NoServerNodeError);
    expect(() => chooseServerNode(undefined, { path: "/own", version })).toThrow(
      /use Node 24 or newer\.$/,
    );
  });
});

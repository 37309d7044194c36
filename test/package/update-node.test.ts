import { describe, expect, it } from "vitest";
import { chooseVersion } from "../../scripts/update-node.mjs";

describe("chooseVersion", () => {
  it("takes the newest version of the major that every platform has", () => {
    const linux = ["25.9.0", "26.9.0", "26.10.0", "26.11.2", "26.12.0", "27.0.0"];
    const darwin = ["26.10.0", "26.11.2", "27.0.0"];
    expect(chooseVersion("26.10.0", [linux, darwin])).toBe("26.11.2");
  });

  it("stays where nothing newer is there for all, and never goes back", () => {
    expect(chooseVersion("26.10.0", [["26.9.0", "26.12.0"], ["26.9.0"]])).toBe("26.10.0");
    expect(chooseVersion("26.10.0", [[], []])).toBe("26.10.0");
  });

  it("takes no version that is not released", () => {
    expect(chooseVersion("26.10.0", [["26.11.0-rc.1"], ["26.11.0-rc.1"]])).toBe("26.10.0");
  });
});

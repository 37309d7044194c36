import { describe, expect, it } from "vitest";
import { logUri, parseLogUri } from "../../../src/mcp-server/presentation/log-uri.ts";

describe("the address of a log", () => {
  it.each(["stdout", "stderr"] as const)(
    "names VM, command and %s, and can be read back",
    (stream) => {
      const address = { vmId: "amber-fox-7k2q", execId: "12", stream };
      expect(logUri(address)).toBe(`vm://amber-fox-7k2q/exec/12/${stream}`);
      expect(parseLogUri(logUri(address))).toEqual(address);
    },
  );

  it.each(["/home/user/x", "vm://a/exec/1/stdin", "vm://a/exec/1", "vm:///exec/1/stdout", ""])(
    "is not %j",
    (text) => {
      expect(parseLogUri(text)).toBeUndefined();
    },
  );
});

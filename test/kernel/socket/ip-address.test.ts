import { isIPv4, isIPv6 } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ipBytes, isLoopback, mappedText, parseIp } from "../../../src/kernel/socket/ip-address.ts";

/** How the URL standard writes an address; it writes a mapped one in hexadecimal. */
function urlText(text: string): string {
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}

const pieces = fc.array(
  fc.constantFrom(
    "",
    "0",
    "1",
    "00",
    "ff",
    "FFFF",
    "12345",
    "g",
    ".",
    ":",
    "::",
    "127",
    "256",
    "%lo",
  ),
  { maxLength: 14 },
);

describe("an internet address", () => {
  it("is what inet_pton takes", () => {
    const texts = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      pieces.map((parts) => parts.join(":")),
      pieces.map((parts) => parts.join(".")),
      pieces.map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        // Zones are names of devices, and there are none.
        const isAddress = (isIPv4(text) || isIPv6(text)) && !text.includes("%");
        expect([text, parseIp(text) !== undefined]).toEqual([text, isAddress]);
      }),
      { numRuns: 3000 },
    );
  });

  it("has one text, the one RFC 5952 gives it", () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const ip = parseIp(text) ?? "";
        expect(parseIp(ip)).toBe(ip);
        if (ip.includes(":")) expect(ip).toBe(urlText(text));
        else expect(urlText(mappedText(ip))).toBe(urlText(text));
      }),
      { numRuns: 2000 },
    );
    expect(["::", "0:0::0", "::ffff:127.0.0.1", "::FFFF:7f00:1", "1::0:0:1"].map(parseIp)).toEqual([
      "::",
      "::",
      "127.0.0.1",
      "127.0.0.1",
      "1::1",
    ]);
  });

  it("has bytes, and is the machine's own or not", () => {
    expect([...ipBytes("127.0.0.1")]).toEqual([127, 0, 0, 1]);
    expect([...ipBytes("::1")]).toEqual([...Array<number>(15).fill(0), 1]);
    expect(["127.0.0.1", "127.255.0.3", "::1"].every(isLoopback)).toBe(true);
    expect(["128.0.0.1", "12.7.0.1", "::2", "0.0.0.0", "::"].some(isLoopback)).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { PortTable, type PortWish } from "../../../src/kernel/socket/port-table.ts";

const alone = { reusesAddress: false, reusesPort: false, isV6Only: false };

function wish(
  owner: string,
  ip: string,
  changes: Partial<PortWish<string>> = {},
): PortWish<string> {
  return { endpoint: { ip, port: 80 }, sharing: alone, uid: 0, owner, ...changes };
}

const listening = ({ isListening }: { readonly isListening: boolean }): number =>
  isListening ? 1 : 0;

describe("a table of ports", () => {
  it("gives what comes to the closest address", () => {
    const table = new PortTable<string>();
    const sharing = { ...alone, reusesAddress: true };
    for (const ip of ["::", "0.0.0.0", "127.0.0.1"]) {
      table.claim(wish(ip, ip, { sharing: { ...sharing, isV6Only: ip === "::" } }));
    }
    const find = (ip: string) => table.find({ ip, port: 80 }, () => 1);
    expect(["127.0.0.1", "127.0.0.2", "::1"].map(find)).toEqual(["127.0.0.1", "0.0.0.0", "::"]);
    expect(table.find({ ip: "127.0.0.1", port: 81 }, () => 1)).toBeUndefined();
    expect(table.find({ ip: "127.0.0.1", port: 80 }, listening)).toBeUndefined();
  });

  it("lets those that share a port take turns", () => {
    const table = new PortTable<string>();
    const sharing = { ...alone, reusesPort: true };
    for (const owner of ["a", "b", "c"]) {
      table.listen(table.claim(wish(owner, "127.0.0.1", { sharing })));
    }
    const to = { ip: "127.0.0.1", port: 80 };
    const found = Array.from({ length: 6 }, () => table.find(to, listening));
    expect(found.map(String).toSorted()).toEqual(["a", "a", "b", "b", "c", "c"]);
  });

  it("gives ephemeral ports in turn, round the end, and what was released again", () => {
    const table = new PortTable<string>(60_999 - 32_768);
    const claim = () => table.claim(wish("x", "127.0.0.1", { endpoint: { ip: "::1", port: 0 } }));
    const first = claim();
    expect([first.endpoint.port, claim().endpoint.port]).toEqual([60_999, 32_768]);
    table.release(first);
    expect(table.find(first.endpoint, () => 1)).toBeUndefined();
    for (let port = 32_769; port <= 60_998; port++) claim();
    expect(claim().endpoint.port).toBe(60_999);
    expect(claim).toThrow("EADDRINUSE");
  });

  it("has room for who listens elsewhere, and none beside who listens here", () => {
    const table = new PortTable<string>();
    const sharing = { ...alone, reusesAddress: true };
    const [one, other] = ["a", "b"].map((owner) => table.claim(wish(owner, "::1", { sharing })));
    if (one === undefined || other === undefined) throw new Error("not bound");
    table.listen(one);
    expect(() => table.listen(other)).toThrow("EADDRINUSE: [::1]:80");
    expect(() => table.claim(wish("c", "::", { sharing }))).toThrow("EADDRINUSE");
    one.isListening = false;
    table.listen(other);
  });
});

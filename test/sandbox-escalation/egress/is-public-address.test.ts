import { expect, it } from "vitest";
import { isPublicAddress } from "../../../src/sandbox-escalation/egress/is-public-address.ts";

it.each(["1.1.1.1", "8.8.8.8", "151.101.2.132", "2606:4700::1111", "2a04:4e42::644"])(
  "takes %s for public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

it.each([
  "0.0.0.0",
  "10.0.0.1",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:10.0.0.1",
  "::ffff:1.1.1.1",
  "64:ff9b::a00:1",
  "2002:0a00:0001::1",
  "2001:0:1::1",
  "2001:db8::1",
  "fc00::1",
  "fe80::1",
  "fe80::1%eth0",
  "ff02::1",
  "example.org",
  "",
])("does not take %s for public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

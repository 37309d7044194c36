import { call } from "../channel.ts";
import type { Binding } from "./base.ts";
import { facts } from "../facts.ts";

export const credentials = (): Binding => ({
  implementsPosixCredentials: true,
  safeGetenv: (name: string) => facts.env.get(name),
  getTempDir: () => facts.env.get("TMPDIR") ?? "/tmp",
  getuid: () => call("credentials").uid,
  geteuid: () => call("credentials").uid,
  getgid: () => call("credentials").gid,
  getegid: () => call("credentials").gid,
  getgroups: () => [...call("credentials").groups],
  initgroups: () => 0,
  setegid: (id: number | string) => setId("setgid", id),
  seteuid: (id: number | string) => setId("setuid", id),
  setgid: (id: number | string) => setId("setgid", id),
  setuid: (id: number | string) => setId("setuid", id),
  setgroups: () => 0,
});

/** 0, or 1 when there is no such user or group. */
function setId(name: "setuid" | "setgid", id: number | string): number {
  return call(name, id) ? 0 : 1;
}

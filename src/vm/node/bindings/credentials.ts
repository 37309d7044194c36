import { call } from "../channel.ts";
import { errnoException } from "../errors.ts";
import { facts } from "../facts.ts";
import type { Binding } from "./base.ts";

export const credentials = (): Binding => ({
  implementsPosixCredentials: true,
  safeGetenv: (name: string) => facts.env.get(name),
  getTempDir: () => tempDirectory(),
  getuid: () => call("credentials").uid,
  geteuid: () => call("credentials").euid,
  getgid: () => call("credentials").gid,
  getegid: () => call("credentials").egid,
  getgroups: groups,
  initgroups: (user: number | string, group: number | string) => set("initgroups", user, group),
  setegid: (id: number | string) => setId("setgid", id, "setegid"),
  seteuid: (id: number | string) => setId("setuid", id, "seteuid"),
  setgid: (id: number | string) => setId("setgid", id),
  setuid: (id: number | string) => setId("setuid", id),
  setgroups: (all: (number | string)[]) => set("setgroups", all),
});

/** The further groups, and the effective one where it is not among them. */
function groups(): number[] {
  const { groups: further, egid } = call("credentials");
  return further.includes(egid) ? [...further] : [...further, egid];
}

function tempDirectory(): string {
  const { env } = facts;
  const directory = env.get("TMPDIR") || env.get("TMP") || env.get("TEMP") || "/tmp";
  return directory.length > 1 ? directory.replace(/\/$/, "") : directory;
}

function set(name: string, ...args: (number | string | (number | string)[])[]): number {
  try {
    return call(name, ...args);
  } catch (error) {
    throw errnoException(error, name);
  }
}

/** 0, or 1 when there is no such user or group. */
function setId(name: "setuid" | "setgid", id: number | string, shown: string = name): number {
  try {
    return call(name, id) ? 0 : 1;
  } catch (error) {
    throw errnoException(error, shown);
  }
}

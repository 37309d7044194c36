import { NameDatabase } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";

export const main = defineProgram(
  {
    name: "id",
    usage: ["[OPTION]... [USER]..."],
    summary:
      "Print user and group information for each specified USER,\nor (when USER omitted) for the current process.",
    options: [
      { short: "a", help: "ignore, for compatibility with other versions" },
      { short: "g", long: "group", help: "print only the effective group ID" },
      { short: "G", long: "groups", help: "print all group IDs" },
      { short: "n", long: "name", help: "print a name instead of a number, for -ugG" },
      {
        short: "r",
        long: "real",
        help: "print the real ID instead of the effective ID, with -ugG",
      },
      { short: "Z", long: "context", help: "print only the security context of the process" },
      { short: "u", long: "user", help: "print only the effective user ID" },
      { short: "z", long: "zero", help: "delimit entries with NUL characters, not whitespace" },
    ],
  },
  async (run) => {
    const kinds = ["group", "groups", "user"].filter((name) => run.has(name));
    if (kinds.length > 1)
      throw new UsageError('cannot print "only" of more than one choice', { hasHint: false });
    if (kinds.length === 0 && (run.has("name") || run.has("real")))
      throw new UsageError("cannot print only names or real IDs in default format", {
        hasHint: false,
      });
    if (run.has("context"))
      throw new UsageError("--context (-Z) works only on an SELinux-enabled kernel", {
        hasHint: false,
      });
    if (kinds.length === 0 && run.has("zero"))
      throw new UsageError("option --zero not permitted in default format", { hasHint: false });
    const names = new NameDatabase(run.sys);
    for (const user of run.operands.length === 0 ? [undefined] : run.operands) {
      const identity = await findIdentity(run, names, user);
      if (identity === undefined)
        await run.fail(
          `${quoteName(user ?? "")}: no such user${user === "" ? ": No such file or directory" : ""}`,
        );
      else run.out.addText(await describe(run, names, identity));
    }
  },
);

interface Identity {
  readonly uid: number;
  readonly euid: number;
  readonly gid: number;
  readonly egid: number;
  readonly groups: readonly number[];
}

async function findIdentity(
  run: Run,
  names: NameDatabase,
  user: string | undefined,
): Promise<Identity | undefined> {
  if (user === undefined) {
    const credentials = await run.sys.getcredentials();
    return { ...credentials, groups: [...new Set([credentials.egid, ...credentials.groups])] };
  }
  const row = await names.findUser(/^\d+$/.test(user) ? Number(user) : user);
  if (row === undefined) return undefined;
  const others = (await names.groups())
    .filter(({ members }) => members.includes(row.name))
    .map(({ gid }) => gid);
  return {
    uid: row.uid,
    euid: row.uid,
    gid: row.gid,
    egid: row.gid,
    groups: [...new Set([row.gid, ...others])],
  };
}

async function describe(run: Run, names: NameDatabase, who: Identity): Promise<string> {
  const end = run.has("zero") ? "\0" : "\n";
  const isNamed = run.has("name");
  const user = run.has("real") ? who.uid : who.euid;
  const group = run.has("real") ? who.gid : who.egid;
  if (run.has("user")) return `${isNamed ? await names.userName(user) : user}${end}`;
  if (run.has("group")) return `${isNamed ? await names.groupName(group) : group}${end}`;
  if (run.has("groups")) {
    const all: string[] = [];
    for (const gid of who.groups) all.push(isNamed ? await names.groupName(gid) : String(gid));
    return `${all.join(run.has("zero") ? "\0" : " ")}${end}`;
  }
  const show = async (id: number, name: string): Promise<string> =>
    name === String(id) ? name : `${id}(${name})`;
  const parts = [
    `uid=${await show(who.uid, await names.userName(who.uid))}`,
    `gid=${await show(who.gid, await names.groupName(who.gid))}`,
  ];
  if (who.euid !== who.uid)
    parts.push(`euid=${await show(who.euid, await names.userName(who.euid))}`);
  if (who.egid !== who.gid)
    parts.push(`egid=${await show(who.egid, await names.groupName(who.egid))}`);
  const groups = await Promise.all(
    who.groups.map(async (gid) => show(gid, await names.groupName(gid))),
  );
  return `${parts.join(" ")} groups=${groups.join(",")}\n`;
}

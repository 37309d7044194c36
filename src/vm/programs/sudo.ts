import { isKernelError } from "../../kernel/index.ts";
import { NameDatabase, type UserRow } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";
import { execCommand, findCommand } from "./run-command.ts";

/** A setuid program: it runs as root and becomes whom it is asked to. Nobody is asked for a password. */
export const main = defineProgram(
  {
    name: "sudo",
    usage: ["[-EHnS] [-u user] [VAR=value] [-i | -s] [command [arg ...]]"],
    summary: "Execute a command as another user, root by default.",
    options: [
      {
        short: "E",
        long: "preserve-env",
        value: "LIST",
        isOptional: true,
        help: "preserve user environment when running command",
      },
      {
        short: "g",
        long: "group",
        value: "GROUP",
        help: "run command as the specified group name or ID",
      },
      { short: "H", long: "set-home", help: "set HOME variable to target user's home dir" },
      { short: "i", long: "login", help: "run login shell as the target user" },
      { short: "k", long: "reset-timestamp", help: "(ignored)" },
      { short: "n", long: "non-interactive", help: "non-interactive mode, no prompts are used" },
      { short: "S", long: "stdin", help: "(ignored: there is no password)" },
      { short: "s", long: "shell", help: "run shell as the target user" },
      { short: "u", long: "user", value: "USER", help: "run command as specified user name or ID" },
      { short: "v", long: "validate", help: "(ignored: nothing expires)" },
    ],
    stopsAtOperand: true,
  },
  async (run) => {
    const { uid, euid } = await run.sys.getcredentials();
    if (euid !== 0) {
      throw refusal("/usr/bin/sudo must be owned by uid 0 and have the setuid bit set");
    }
    if (run.has("validate") || (run.has("reset-timestamp") && run.operands.length === 0)) return 0;
    const names = new NameDatabase(run.sys);
    const user = await findUser(names, run.options.get("user") ?? "root");
    const { environment, words } = await makeEnvironment(run, user, await names.findUser(uid));
    const isShell = run.has("login") || run.has("shell");
    const command = isShell ? shellCommand(user.shell, words, run.has("login")) : words;
    const [name] = command;
    if (name === undefined) throw new UsageError("a command is required");
    await become(run, names, user);
    if (run.has("login")) await run.sys.chdir(user.home);
    const path = await findCommand(run.sys, isShell ? user.shell : name, environment.get("PATH"));
    if (path === undefined) throw refusal(`${name}: command not found`);
    try {
      return await execCommand(run.sys, path, command, environment);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if (error.errno === "ENOENT") throw refusal(`${name}: command not found`);
      throw refusal(`unable to execute ${name}: ${errorWords(error)}`);
    }
  },
);

function refusal(message: string): UsageError {
  return new UsageError(message, { hasHint: false });
}

async function findUser(names: NameDatabase, wanted: string): Promise<UserRow> {
  const user = await names.findUser(/^#\d+$/.test(wanted) ? Number(wanted.slice(1)) : wanted);
  if (user === undefined) throw refusal(`unknown user ${wanted}`);
  return user;
}

/** The caller's environment with whom it is for; `NAME=value` before the command is taken in. */
async function makeEnvironment(
  run: Run,
  user: UserRow,
  caller: UserRow | undefined,
): Promise<{ readonly environment: Map<string, string>; readonly words: readonly string[] }> {
  const environment = await run.sys.environ();
  const words = [...run.operands];
  while (/^[A-Za-z_]\w*=/.test(words[0] ?? "")) {
    const word = words.shift() ?? "";
    environment.set(word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1));
  }
  if (!run.has("preserve-env")) environment.set("HOME", user.home);
  environment.set("USER", user.name).set("LOGNAME", user.name).set("SHELL", user.shell);
  if (caller !== undefined) {
    environment.set("SUDO_USER", caller.name);
    environment.set("SUDO_UID", String(caller.uid)).set("SUDO_GID", String(caller.gid));
  }
  environment.set("SUDO_COMMAND", words.join(" "));
  return { environment, words };
}

/** Takes the user's ids and groups on, for good. */
async function become(run: Run, names: NameDatabase, user: UserRow): Promise<void> {
  const wanted = run.options.get("group");
  const key =
    wanted !== undefined && /^#?\d+$/.test(wanted) ? Number(wanted.replace("#", "")) : wanted;
  const gid = key === undefined ? user.gid : (await names.findGroup(key))?.gid;
  if (gid === undefined) throw refusal(`unknown group ${wanted}`);
  const member = (await names.groups()).filter(({ members }) => members.includes(user.name));
  await run.sys.setgroups([...new Set([gid, ...member.map((row) => row.gid)])]);
  await run.sys.setgid(gid);
  await run.sys.setuid(user.uid);
}

function shellCommand(shell: string, words: readonly string[], isLogin: boolean): string[] {
  const name = shell.slice(shell.lastIndexOf("/") + 1);
  const quoted = words.map((word) => word.replace(/[^\w./=:@%+,-]/g, "\\$&")).join(" ");
  return [isLogin ? `-${name}` : shell, ...(words.length > 0 ? ["-c", quoted] : [])];
}

import { isKernelError } from "../../kernel/index.ts";
import { NameDatabase } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords } from "./program.ts";
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
    const { sys, options } = run;
    if ((await sys.getcredentials()).euid !== 0) {
      throw new UsageError("/usr/bin/sudo must be owned by uid 0 and have the setuid bit set", {
        hasHint: false,
      });
    }
    if (run.has("validate") || (run.has("reset-timestamp") && run.operands.length === 0)) return 0;
    const names = new NameDatabase(sys);
    const caller = await names.findUser((await sys.getcredentials()).uid);
    const wanted = options.get("user") ?? "root";
    const user = await names.findUser(/^#\d+$/.test(wanted) ? Number(wanted.slice(1)) : wanted);
    if (user === undefined) throw new UsageError(`unknown user ${wanted}`, { hasHint: false });
    const environment = await sys.environ();
    const words = [...run.operands];
    while (/^[A-Za-z_]\w*=/.test(words[0] ?? "")) {
      const word = words.shift() ?? "";
      environment.set(word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1));
    }
    if (!run.has("preserve-env")) environment.set("HOME", user.home);
    environment.set("USER", user.name);
    environment.set("LOGNAME", user.name);
    environment.set("SHELL", user.shell);
    if (caller !== undefined)
      environment
        .set("SUDO_USER", caller.name)
        .set("SUDO_UID", String(caller.uid))
        .set("SUDO_GID", String(caller.gid));
    environment.set("SUDO_COMMAND", words.join(" "));
    const command =
      run.has("login") || run.has("shell")
        ? shellCommand(user.shell, words, run.has("login"))
        : words;
    const [name] = command;
    if (name === undefined) throw new UsageError("a command is required");
    const group = options.get("group");
    const gid =
      group === undefined
        ? user.gid
        : (await names.findGroup(/^#?\d+$/.test(group) ? Number(group.replace("#", "")) : group))
            ?.gid;
    if (gid === undefined) throw new UsageError(`unknown group ${group}`, { hasHint: false });
    const groups = (await names.groups())
      .filter(({ members }) => members.includes(user.name))
      .map((row) => row.gid);
    await sys.setgroups([...new Set([gid, ...groups])]);
    await sys.setgid(gid);
    await sys.setuid(user.uid);
    if (run.has("login")) await sys.chdir(user.home);
    const path = await findCommand(
      sys,
      run.has("login") || run.has("shell") ? user.shell : name,
      environment.get("PATH"),
    );
    if (path === undefined) throw new UsageError(`${name}: command not found`, { hasHint: false });
    try {
      return await execCommand(sys, path, command, environment);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new UsageError(
        error.errno === "ENOENT"
          ? `${name}: command not found`
          : `unable to execute ${name}: ${errorWords(error)}`,
        { hasHint: false },
      );
    }
  },
);

function shellCommand(shell: string, words: readonly string[], isLogin: boolean): string[] {
  const name = shell.slice(shell.lastIndexOf("/") + 1);
  const quoted = words.map((word) => word.replace(/[^\w./=:@%+,-]/g, "\\$&")).join(" ");
  return [isLogin ? `-${name}` : shell, ...(words.length > 0 ? ["-c", quoted] : [])];
}

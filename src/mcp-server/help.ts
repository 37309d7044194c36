// The words of --help. Runs on Node 20.
import { type CommandRow, commands } from "./command-list.ts";
import { globalOptions, type Option } from "./settings.ts";

/** Help for all commands. */
export function helpText(): string {
  const rows = Object.entries(commands).map(
    ([name, row]) => [`${name} ${row.usage ?? ""}`.trim(), row.says] as const,
  );
  return [
    "agentos-mcp: lightweight VMs for agents, served over MCP.",
    "",
    "Usage: agentos-mcp [command] [options]",
    "",
    "Commands:",
    ...table(rows),
    "",
    "Options:",
    ...optionLines(globalOptions),
    ...table([
      ["--help", "Show this, or with a command its options; so does help [command]"],
      ["--version", "Show the version and the build"],
    ]),
    "",
  ].join("\n");
}

/** Help for one command. */
export function commandHelpText(name: string, row: CommandRow): string {
  return [
    `Usage: agentos-mcp ${name} ${row.usage ?? "[options]"}`,
    "",
    `${row.says}.`,
    "",
    "Options:",
    ...optionLines({ ...row.options, ...globalOptions }),
    "",
  ].join("\n");
}

function optionLines(options: Readonly<Record<string, Option>>): string[] {
  return table(
    Object.entries(options).map(([name, { value, env, says }]) => [
      `--${name}${value === undefined ? "" : ` ${value}`}`,
      env === undefined ? says : `${says} [${env}]`,
    ]),
  );
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  return rows.map(([left, right]) => `  ${left.padEnd(28)} ${right}`);
}

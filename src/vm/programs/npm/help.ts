/** What `npm help`, `npm -h` and `npm <command> -h` show. */
import { aliasesOf, descriptions } from "./command-names.ts";
import type { NpmRun } from "./npm-run.ts";
import { NPM_VERSION } from "./versions.ts";

const LINE_LENGTH = 60;

/** The text of `npm help`. */
export function helpText(userConfig = "~/.npmrc"): string {
  return `npm <command>

Usage:

npm install        install all the dependencies in your project
npm install <foo>  add the <foo> dependency to your project
npm test           run this project's tests
npm run <foo>      run the script named <foo>
npm <command> -h   quick help on <command>
npm -l             display usage info for all commands
npm help <term>    search for help on <term>
npm help npm       more involved overview

All commands:

${commandList()}

Specify configs in the ini-formatted file:
    ${userConfig}
or on the command line via: npm <command> --key=value

In this VM:
  There is no registry: packages come from folders, tarballs, node_modules that are already there,
  and software that the host mounts (/node_modules, /opt/software).
  Install scripts of packages, and the project's own prepare and postinstall, run only with
  --ignore-scripts=false.

npm@${NPM_VERSION} /usr/bin/npm
`;
}

function commandList(): string {
  const lines: string[] = [];
  let line = "   ";
  for (const [place, name] of [...descriptions.keys()].entries()) {
    const word = place === descriptions.size - 1 ? ` ${name}` : ` ${name},`;
    if (line.length + word.length > LINE_LENGTH + 4) {
      lines.push(line);
      line = "   ";
    }
    line += word;
  }
  return [...lines, line].join("\n");
}

/** What stands behind `npm <command>`, by command. */
const usages: ReadonlyMap<string, readonly string[]> = new Map([
  ["ci", [""]],
  [
    "config",
    [
      "set <key>=<value> [<key>=<value> ...]",
      "get [<key> [<key> ...]]",
      "delete <key> [<key> ...]",
      "list [--json]",
    ],
  ],
  [
    "exec",
    [
      "-- <pkg>[@<version>] [args...]",
      "--package=<pkg>[@<version>] -- <cmd> [args...]",
      "-c '<cmd> [args...]'",
      "--package=foo -c '<cmd> [args...]'",
    ],
  ],
  ["explain", ["<package-spec>"]],
  ["get", ["[<key> ...] (See `npm config`)"]],
  ["help", ["<term> [<terms..>]"]],
  ["init", ["[-y]"]],
  ["install", ["[<folder> | <tarball> | <package-spec> ...]"]],
  ["link", ["[<package-spec>]"]],
  ["ls", ["<package-spec>"]],
  ["pack", ["<folder>"]],
  [
    "pkg",
    [
      "set <key>=<value> [<key>=<value> ...]",
      "get [<key> [<key> ...]]",
      "delete <key> [<key> ...]",
      "set [<array>[<index>].<key>=<value> ...]",
      "set [<array>[].<key>=<value> ...]",
    ],
  ],
  ["restart", ["[-- <args>]"]],
  ["run", ["<command> [-- <args>]"]],
  ["set", ["<key>=<value> [<key>=<value> ...] (See `npm config`)"]],
  ["start", ["[-- <args>]"]],
  ["stop", ["[-- <args>]"]],
  ["test", ["[-- <args>]"]],
  ["uninstall", ["[<@scope>/]<pkg>..."]],
  [
    "version",
    ["[<newversion> | major | minor | patch | premajor | preminor | prepatch | prerelease]"],
  ],
]);

/** The settings that a command heeds, by command. */
const options: ReadonlyMap<string, string> = new Map([
  [
    "install",
    "[-S|--save|--no-save|--save-prod|--save-dev|--save-optional|--save-peer] [-E|--save-exact]\n[-g|--global] [--omit <dev|optional|peer>] [--no-package-lock] [--no-bin-links] [--dry-run]\n[--ignore-scripts=false] [-w|--workspace <workspace-name>] [--workspaces]",
  ],
  ["ci", "[--omit <dev|optional|peer>] [--no-bin-links] [--dry-run] [--ignore-scripts=false]"],
  [
    "ls",
    "[-a|--all] [--json] [-l|--long] [-p|--parseable] [-g|--global] [--depth <depth>]\n[--omit <dev|optional|peer>] [--link]",
  ],
  [
    "pack",
    "[--dry-run] [--json] [--pack-destination <folder>] [-w|--workspace <workspace-name>] [--workspaces]",
  ],
  [
    "run",
    "[-w|--workspace <workspace-name> [-w|--workspace <workspace-name> ...]]\n[--workspaces] [--include-workspace-root] [--if-present] [--ignore-scripts]\n[--script-shell <script-shell>]",
  ],
]);

export function commandHelp(command: string): string {
  const usage = (usages.get(command) ?? [""]).map((line) => `npm ${command} ${line}`.trimEnd());
  const listed = options.get(command);
  const other = aliasesOf(command);
  return [
    descriptions.get(command) ?? "",
    "",
    "Usage:",
    ...usage,
    ...(listed === undefined ? [] : ["", "Options:", listed]),
    ...(other.length === 0
      ? []
      : ["", `alias${other.length === 1 ? "" : "es"}: ${other.join(", ")}`]),
    "",
    `Run "npm help ${command}" for more info`,
  ].join("\n");
}

export async function showHelp(run: NpmRun): Promise<void> {
  const [term] = run.words;
  if (term !== undefined && descriptions.has(term)) run.print(commandHelp(term));
  else run.out.addText(helpText(`${run.environment.get("HOME") ?? "~"}/.npmrc`));
}

/** npm's commands: their names, what each does, and the other words for them. */

export const descriptions: ReadonlyMap<string, string> = new Map([
  ["access", "Set access level on published packages"],
  ["adduser", "Add a registry user account"],
  ["approve-scripts", "Approve install scripts for specific dependencies"],
  ["audit", "Run a security audit"],
  ["bugs", "Report bugs for a package in a web browser"],
  ["cache", "Manipulates packages and npx cache"],
  ["ci", "Clean install a project"],
  ["completion", "Tab Completion for npm"],
  ["config", "Manage the npm configuration files"],
  ["dedupe", "Reduce duplication in the package tree"],
  ["deny-scripts", "Deny install scripts for specific dependencies"],
  ["deprecate", "Deprecate a version of a package"],
  ["diff", "The registry diff command"],
  ["dist-tag", "Modify package distribution tags"],
  ["docs", "Open documentation for a package in a web browser"],
  ["doctor", "Check the health of your npm environment"],
  ["edit", "Edit an installed package"],
  ["exec", "Run a command from a local or remote npm package"],
  ["explain", "Explain installed packages"],
  ["explore", "Browse an installed package"],
  ["find-dupes", "Find duplication in the package tree"],
  ["fund", "Retrieve funding information"],
  ["get", "Get a value from the npm configuration"],
  ["help", "Get help on npm"],
  ["help-search", "Search npm help documentation"],
  ["init", "Create a package.json file"],
  ["install", "Install a package"],
  ["install-ci-test", "Install a project with a clean slate and run tests"],
  ["install-scripts", "Manage install-script approvals for dependencies"],
  ["install-test", "Install package(s) and run tests"],
  ["link", "Symlink a package folder"],
  ["ll", "List installed packages"],
  ["login", "Login to a registry user account"],
  ["logout", "Log out of the registry"],
  ["ls", "List installed packages"],
  ["org", "Manage orgs"],
  ["outdated", "Check for outdated packages"],
  ["owner", "Manage package owners"],
  ["pack", "Create a tarball from a package"],
  ["ping", "Ping npm registry"],
  ["pkg", "Manages your package.json"],
  ["prefix", "Display prefix"],
  ["profile", "Change settings on your registry profile"],
  ["prune", "Remove extraneous packages"],
  ["publish", "Publish a package"],
  ["query", "Retrieve a filtered list of packages"],
  ["rebuild", "Rebuild a package"],
  ["repo", "Open package repository page in the browser"],
  ["restart", "Restart a package"],
  ["root", "Display npm root"],
  ["run", "Run arbitrary package scripts"],
  ["sbom", "Generate a Software Bill of Materials (SBOM)"],
  ["search", "Search for packages"],
  ["set", "Set a value in the npm configuration"],
  ["shrinkwrap", "Lock down dependency versions for publication"],
  ["stage", "Stage packages for publishing"],
  ["star", "Mark your favorite packages"],
  ["stars", "View packages marked as favorites"],
  ["start", "Start a package"],
  ["stop", "Stop a package"],
  ["team", "Manage organization teams and team memberships"],
  ["test", "Test a package"],
  ["token", "Manage your authentication tokens"],
  ["trust", "Manage trusted publishing"],
  ["undeprecate", "Undeprecate a version of a package"],
  ["uninstall", "Remove a package"],
  ["unpublish", "Remove a package from the registry"],
  ["unstar", "Remove an item from your favorite packages"],
  ["update", "Update packages"],
  ["version", "Bump a package version"],
  ["view", "View registry info"],
  ["whoami", "Display npm username"],
]);

const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bugs: ["issues"],
    ci: ["clean-install", "ic", "install-clean", "isntall-clean"],
    config: ["c"],
    dedupe: ["ddp"],
    "dist-tag": ["dist-tags"],
    docs: ["home"],
    exec: ["x"],
    explain: ["why"],
    help: ["hlep"],
    init: ["create", "innit"],
    install: "add i in ins inst insta instal isnt isnta isntal isntall".split(" "),
    "install-ci-test": ["cit", "clean-install-test", "sit"],
    "install-test": ["it"],
    link: ["ln"],
    ll: ["la"],
    ls: ["list"],
    org: ["ogr"],
    owner: ["author"],
    rebuild: ["rb"],
    run: ["run-script", "rum", "urn"],
    search: ["find", "s", "se"],
    test: ["tst", "t"],
    uninstall: ["unlink", "remove", "rm", "r", "un"],
    update: ["u", "up", "upgrade", "udpate"],
    version: ["verison"],
    view: ["info", "show", "v"],
    adduser: ["add-user"],
  }).flatMap(([command, words]) => words.map((word): [string, string] => [word, command])),
);

/** The command that a word stands for, which may be its beginning; undefined for none or several. */
export function findCommandName(word: string): string | undefined {
  const dashed = word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (descriptions.has(dashed)) return dashed;
  const exact = aliases.get(dashed);
  if (exact !== undefined) return exact;
  if (dashed === "") return undefined;
  const all = [...descriptions.keys(), ...aliases.keys()].filter((one) => one.startsWith(dashed));
  const [only] = all;
  return all.length === 1 && only !== undefined ? (aliases.get(only) ?? only) : undefined;
}

export function aliasesOf(command: string): string[] {
  return [...aliases].filter(([, one]) => one === command).map(([word]) => word);
}

// Moves the pinned Node to the newest version of its major that npm has for every platform, and runs what must pass:
// `npm run update-node`; `-- --dry-run` only says what it would do, `-- --no-tests` leaves the tests to you.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "./find-command.mjs";
import { pinnedNodePackages } from "./pinned-node-packages.mjs";

const manifestFile = join(projectRoot, "package.json");
const versionsFile = join(projectRoot, "src", "vm", "programs", "npm", "versions.ts");

/**
 * The newest version of the major of `current` that is in every list; `current` itself where none is newer.
 *
 * @param {string} current
 * @param {readonly (readonly string[])[]} lists
 */
export function chooseVersion(current, lists) {
  const [major] = numbersOf(current);
  const [first = [], ...others] = lists;
  const common = first.filter(
    (version) =>
      /^\d+\.\d+\.\d+$/.test(version) &&
      numbersOf(version)[0] === major &&
      others.every((list) => list.includes(version)),
  );
  return [current, ...common].sort(compareVersions).at(-1) ?? current;
}

/** @param {string} version */
function numbersOf(version) {
  return version.split(".").map(Number);
}

/**
 * @param {string} one
 * @param {string} other
 */
function compareVersions(one, other) {
  const [ours, theirs] = [numbersOf(one), numbersOf(other)];
  const at = ours.findIndex((number, place) => number !== theirs[place]);
  return at === -1 ? 0 : (ours[at] ?? 0) - (theirs[at] ?? 0);
}

/**
 * @param {string} name
 * @param {string} field
 */
function ask(name, field) {
  return JSON.parse(execFileSync("npm", ["view", name, field, "--json"], { encoding: "utf8" }));
}

/** @param {readonly string[]} words */
function run(words) {
  process.stdout.write(`== npm ${words.join(" ")}\n`);
  execFileSync("npm", words, { cwd: projectRoot, stdio: "inherit" });
}

/**
 * @param {string} from
 * @param {string} to
 * @param {string} released A date, as "2026-09-23".
 */
function writeVersion(from, to, released) {
  const manifest = readFileSync(manifestFile, "utf8");
  writeFileSync(
    manifestFile,
    manifest
      .replaceAll(`": "${from}"`, `": "${to}"`)
      .replace(/"nodeReleased": "[^"]*"/, `"nodeReleased": "${released}"`),
  );
  const versions = readFileSync(versionsFile, "utf8");
  writeFileSync(versionsFile, versions.replace(from, to));
}

function main() {
  const { optionalDependencies } = JSON.parse(readFileSync(manifestFile, "utf8"));
  const names = pinnedNodePackages.map(({ source }) => source);
  const current = optionalDependencies[names[0] ?? ""];
  const lists = names.map((name) => ask(name, "versions"));
  const newest = chooseVersion(current, lists);
  for (const [at, name] of names.entries()) {
    const own = chooseVersion(current, [lists[at]]);
    if (own !== newest) process.stdout.write(`${name} has ${own}, others have not\n`);
  }
  if (newest === current) {
    process.stdout.write(`Node ${current} is the newest that every platform has.\n`);
    return;
  }
  const released = String(ask(names[0] ?? "", "time")[newest]).slice(0, 10);
  process.stdout.write(`Node ${current} -> ${newest}, released ${released}\n`);
  if (process.argv.includes("--dry-run")) return;
  writeVersion(current, newest, released);
  run(["run", "lock"]);
  run(["install"]);
  run(["run", "build"]);
  if (process.argv.includes("--no-tests")) return;
  // The guest's Node is made of the pinned one's own library: its bindings are what a new version breaks first.
  run(["run", "check"]);
  run(["run", "test:all"]);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  main();

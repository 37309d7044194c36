// Installs the Debian packages that tests of sandboxes need, where they are missing and root may: bubblewrap, what lends
// ids to users, a browser. Says so and ends with 1 where it cannot; the tests that need them are skipped then.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const LIMIT_MS = 150_000;
const tools = [
  { program: "/usr/bin/bwrap", packages: ["bubblewrap"] },
  { program: "/usr/bin/newuidmap", packages: ["uidmap"] },
  { program: "/usr/bin/chromium", packages: ["chromium", "fonts-dejavu-core"] },
];

const missing = tools.filter(({ program }) => !existsSync(program));
if (missing.length > 0) run("apt-get", ["update", "-q"]);
for (const { packages } of missing) {
  const isInstalled = run("apt-get", [
    "install",
    "-q",
    "-y",
    "--no-install-recommends",
    ...packages,
  ]);
  if (!isInstalled) process.exitCode = 1;
  process.stdout.write(
    isInstalled
      ? `installed ${packages.join(", ")}\n`
      : `${packages.join(", ")}: apt-get failed; tests that need it are skipped\n`,
  );
}
if (missing.length === 0) process.stdout.write("sandbox tools are installed\n");

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status } = spawnSync(command, args, { env, stdio: "ignore", timeout: LIMIT_MS });
  return status === 0;
}

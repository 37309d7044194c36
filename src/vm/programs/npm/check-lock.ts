/** Whether a lock file is there and in step with package.json, as `npm ci` needs it. */
import { findText, isObject, property, textEntries } from "./json.ts";
import { dependencyFields } from "./manifest.ts";
import { usage } from "./pkg.ts";
import type { ProjectRoot } from "./project-root.ts";

/** Fails with an NpmFailure. */
export function checkLock({ lock, tree }: ProjectRoot): void {
  const packages = property(lock?.content, "packages");
  if (!isObject(packages))
    throw usage(
      "ci",
      "The `npm ci` command can only install with an existing package-lock.json or\nnpm-shrinkwrap.json with lockfileVersion >= 1. Run an install with npm@5 or\nlater to generate a package-lock.json file, then try again.",
    );
  const root = property(packages, "");
  const problems: string[] = [];
  for (const field of Object.values(dependencyFields)) {
    const wanted = new Map(textEntries(property(tree.manifest, field)));
    const locked = new Map(textEntries(property(root, field)));
    for (const [name, spec] of wanted) {
      const entry = property(packages, `node_modules/${name}`);
      if (entry === undefined && field !== dependencyFields.optional)
        problems.push(`Missing: ${name}@${spec} from lock file`);
      else if (locked.get(name) !== spec)
        problems.push(
          `Invalid: lock file's ${name}@${findText(entry, "version") ?? locked.get(name) ?? ""} does not satisfy ${name}@${spec}`,
        );
    }
  }
  if (problems.length === 0) return;
  throw usage(
    "ci",
    `\`npm ci\` can only install packages when your package.json and package-lock.json or npm-shrinkwrap.json are in sync. Please update your lock file with \`npm install\` before continuing.\n\n${problems.join("\n")}\n`,
  );
}

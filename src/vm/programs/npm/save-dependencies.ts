/** What an installation changes in package.json. */
import { relativePath } from "../relative-path.ts";
import { isObject, type JsonObject, property, sortKeys, withProperties } from "./json.ts";
import { dependencyFields } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import { type PackageSpec, savedRange } from "./package-spec.ts";

export interface Asked {
  readonly name: string;
  readonly spec: PackageSpec;
  /** What was written on the command line. */
  readonly raw: string;
}

type Field = (typeof dependencyFields)[keyof typeof dependencyFields];

const allFields: readonly Field[] = Object.values(dependencyFields);

/** The field that the command line asks for, else where it stands already, else `dependencies`. */
export function fieldFor(run: NpmRun, manifest: JsonObject, name: string): Field {
  const { config } = run;
  if (config.is("save-dev")) return "devDependencies";
  if (config.is("save-optional")) return "optionalDependencies";
  if (config.is("save-peer")) return "peerDependencies";
  if (config.is("save-prod")) return "dependencies";
  return (
    allFields.find((field) => property(property(manifest, field), name) !== undefined) ??
    "dependencies"
  );
}

/** Where else a dependency cannot stand once it is in a field. */
const excluded: Readonly<Record<Field, readonly Field[]>> = {
  dependencies: ["devDependencies", "optionalDependencies", "peerDependencies"],
  devDependencies: ["dependencies"],
  optionalDependencies: ["dependencies", "peerDependencies"],
  peerDependencies: ["dependencies", "optionalDependencies"],
};

/** The manifest with one more dependency. */
export function withDependency(
  manifest: JsonObject,
  field: Field,
  name: string,
  spec: string,
): JsonObject {
  const cleared = withoutDependency(manifest, name, excluded[field]);
  const existing = property(cleared, field);
  const object = withProperties(isObject(existing) ? existing : {}, { [name]: spec });
  return withProperties(cleared, { [field]: sortKeys(object) });
}

/** The manifest without a dependency; a field that is empty then goes, too. */
export function withoutDependency(
  manifest: JsonObject,
  name: string,
  fields: readonly Field[] = allFields,
): JsonObject {
  let result = manifest;
  for (const field of fields) {
    const existing = property(result, field);
    if (!isObject(existing) || property(existing, name) === undefined) continue;
    const rest = withProperties(existing, { [name]: undefined });
    result = withProperties(result, { [field]: Object.keys(rest).length === 0 ? undefined : rest });
  }
  return result;
}

/** How package.json names what was asked for. */
export function savedSpec(
  run: NpmRun,
  { spec, raw }: Asked,
  installed: JsonObject | undefined,
): string {
  switch (spec.kind) {
    case "folder":
    case "tarball":
      return `file:${relativePath(run.places.local, spec.path)}`;
    case "remote":
      return spec.raw;
    case "registry": {
      const prefix = run.config.is("save-exact") ? "" : run.config.get("save-prefix");
      const range = savedRange(installed ?? {}, spec.wanted, prefix);
      return spec.isAlias ? `npm:${spec.target}@${range}` : installed === undefined ? raw : range;
    }
  }
}

import { isAbsolute, parse, resolve } from "node:path";
import { encodeText } from "../kernel/index.ts";
import { HostError } from "./host-error.ts";
import type { SoftwareMount } from "./wire/messages.ts";

/**
 * A folder of the host that a VM gets to read: its path, or its path and the place in the VM. What
 * the host changes in it is seen.
 */
export type SoftwareOption = string | { readonly path: string; readonly at?: string | undefined };

export interface PlacedSoftware extends SoftwareMount {
  readonly path: string;
}

/** Folders of one VM. Each is a mount. */
const FOLDERS_LIMIT = 64;
const PATH_LIMIT = 4096;
const NAME_LIMIT = 255;
/** These are links in a VM; the policy goes by paths without links. */
const MERGED = /^\/(bin|sbin|lib)(?=\/|$)/;
/** The kernel's own; nothing of the host's goes there. */
const RESERVED = /^\/(?:dev|proc)(?:\/|$)/;

/**
 * Each folder with its place. Where none is given, a `node_modules` goes to /node_modules, where
 * scripts anywhere in the VM find its packages, and another folder to /opt/software by its name.
 * VM_OPTIONS_INVALID.
 */
export function placeSoftware(software: readonly SoftwareOption[]): PlacedSoftware[] {
  if (!Array.isArray(software)) throw wrong("it is a list of folders");
  if (software.length > FOLDERS_LIMIT) throw wrong(`there are more than ${FOLDERS_LIMIT} folders`);
  const placed = software.map(place);
  const places = new Set<string>();
  for (const { at } of placed) {
    if (places.has(at)) throw wrong(`two folders go to ${at}; give one of them another "at"`);
    places.add(at);
  }
  // A folder that lies in another is mounted after it.
  return placed.sort((a, b) => a.at.split("/").length - b.at.split("/").length);
}

function place(option: SoftwareOption): PlacedSoftware {
  const { path, at } =
    typeof option === "string" ? { path: option, at: undefined } : (option ?? {});
  if (typeof path !== "string" || !isAbsolute(path) || path.includes("\0")) {
    throw wrong('the path of a folder is absolute, as in "/home/me/tools"');
  }
  const { root, base } = parse(resolve(path));
  if (resolve(path) === root) throw wrong("the whole file system of the host is no software");
  return { path, at: at === undefined ? placeFor(base) : checkPlace(at) };
}

function placeFor(name: string): string {
  return name === "node_modules" ? "/node_modules" : `/opt/software/${name}`;
}

function checkPlace(at: string): string {
  if (typeof at !== "string" || !at.startsWith("/"))
    throw wrong('"at" is an absolute path in the VM');
  const names = at.split("/").filter((name) => name !== "");
  const isPlain = names.every((name) => name !== "." && name !== ".." && !name.includes("\0"));
  const fits = encodeText(at).length < PATH_LIMIT;
  if (!isPlain || !fits || names.some((name) => encodeText(name).length > NAME_LIMIT)) {
    throw wrong('"at" is a path without . and .. in it');
  }
  const path = `/${names.join("/")}`.replace(MERGED, "/usr/$1");
  if (path === "/" || RESERVED.test(path)) throw wrong(`nothing can be mounted at ${path}`);
  return path;
}

function wrong(problem: string): HostError {
  return new HostError("VM_OPTIONS_INVALID", { problem: `software: ${problem}` });
}

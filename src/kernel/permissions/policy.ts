/**
 * What a VM may do, as data. The schema is agentOS's (mode, or rules of which the last match wins,
 * default deny) with one more mode: "ask" lets the call wait until the host answers.
 */
import { KernelError } from "../abi/kernel-error.ts";
import { matchesGlob, reachBehind, reachBelow } from "./glob.ts";

export type PermissionMode = "allow" | "deny" | "ask";
export type PermissionAnswer = "allow" | "deny";

/** The scopes with the operations each knows. `toolkit` and `network` are decided by the broker, too. */
export const scopeOperations = {
  fs: [
    "read",
    "write",
    "stat",
    "readdir",
    "create_dir",
    "rm",
    "rename",
    "symlink",
    "readlink",
    "chmod",
    "truncate",
    "mount_sensitive",
  ],
  network: ["fetch", "http", "dns", "listen"],
  childProcess: ["spawn"],
  process: ["signal"],
  env: ["read", "write"],
  toolkit: ["invoke"],
} as const;

export type Scope = keyof typeof scopeOperations;
export type Operation<S extends Scope> = (typeof scopeOperations)[S][number];

export interface Rule {
  readonly mode: PermissionMode;
  /** `["*"]` or left out: every operation of the scope. */
  readonly operations?: readonly string[];
  /** Globs over paths (scope fs). */
  readonly paths?: readonly string[];
  /** Globs over the subject (other scopes): a command, a variable, `toolkit:tool`, `tcp://host:port`. */
  readonly patterns?: readonly string[];
}

export interface RuleSet {
  /** What holds when no rule matches; deny when left out. */
  readonly default?: PermissionMode;
  readonly rules: readonly Rule[];
}

export type PermissionsConfig = { readonly [S in Scope]?: PermissionMode | RuleSet };

/**
 * Inward things are allowed, everything outward is denied until it is granted. The VM's own loopback
 * is inward: rules that do not name it leave it allowed, the mode "deny" does not.
 */
export const defaultPermissions = {
  fs: "allow",
  network: { default: "deny", rules: [] },
  childProcess: "allow",
  process: "allow",
  env: "allow",
  toolkit: "deny",
} as const satisfies Required<PermissionsConfig>;

/** A decision with what made it: `rules[2]`, `default` or `mode`. */
export interface Decision {
  readonly mode: PermissionMode;
  readonly rule: string;
}

export interface BelowDecision {
  readonly mode: PermissionMode | "mixed";
  readonly rule: string;
}

/** A question to the host. */
export interface PermissionRequest {
  readonly pid: number;
  readonly command: string;
  readonly scope: Scope;
  readonly operation: string;
  readonly subject: string;
}

/** A checked policy. */
export class Policy {
  readonly #scopes = new Map<Scope, PermissionMode | RuleSet>();

  /** Fails with EINVAL on an unknown scope, mode, key or operation, and on an empty list. */
  constructor(config: PermissionsConfig = {}) {
    for (const [scope, value] of Object.entries({ ...defaultPermissions, ...config })) {
      if (!isScope(scope)) throw invalid(scope, "there is no such scope");
      if (value !== undefined) this.#scopes.set(scope, checkScope(scope, value));
    }
  }

  decide<S extends Scope>(scope: S, operation: Operation<S>, subject: string): Decision {
    const value = this.#scopes.get(scope) ?? "deny";
    if (typeof value === "string") return { mode: value, rule: `${scope}` };
    for (let i = value.rules.length - 1; i >= 0; i--) {
      const rule = value.rules[i];
      if (rule !== undefined && applies(rule, operation, subject)) {
        return { mode: rule.mode, rule: `${scope}.rules[${i}]` };
      }
    }
    if (scope === "network" && isInward(operation, subject)) {
      return { mode: "allow", rule: "network.loopback" };
    }
    return { mode: value.default ?? "deny", rule: `${scope}.default` };
  }

  /** Whether a toolkit has tools that the policy could grant, whatever they are called. */
  couldGrant(toolkit: string): boolean {
    const value = this.#scopes.get("toolkit") ?? "deny";
    if (typeof value === "string") return value !== "deny";
    for (const rule of value.rules.toReversed()) {
      const reaches = (rule.patterns ?? ["*"]).map((glob) => reachBehind(glob, `${toolkit}:`));
      const isReached = reaches.some((reach) => reach !== "none");
      if (isReached && rule.mode !== "deny") return true;
      if (reaches.includes("all")) return false;
    }
    return (value.default ?? "deny") !== "deny";
  }

  /**
   * What holds for every path below a directory, whether or not there is a file: "mixed" where it
   * could differ from path to path, with a rule that is not plain allow.
   */
  decideBelow(operation: Operation<"fs">, directory: string): BelowDecision {
    const value = this.#scopes.get("fs") ?? "deny";
    if (typeof value === "string") return { mode: value, rule: "fs" };
    let isAllowedForSome = false;
    for (let i = value.rules.length - 1; i >= 0; i--) {
      const rule = value.rules[i];
      const reach = rule === undefined ? "none" : ruleReach(rule, operation, directory);
      if (rule === undefined || reach === "none") continue;
      const isWhole = reach === "all" && !isAllowedForSome;
      if (rule.mode !== "allow") {
        return { mode: isWhole ? rule.mode : "mixed", rule: `fs.rules[${i}]` };
      }
      if (reach === "all") return { mode: "allow", rule: `fs.rules[${i}]` };
      isAllowedForSome = true;
    }
    const mode = value.default ?? "deny";
    return { mode: mode !== "allow" && isAllowedForSome ? "mixed" : mode, rule: "fs.default" };
  }

  /** Whether the same holds for two directories and for every path below them. */
  treatsAlike(one: string, other: string): boolean {
    return scopeOperations.fs.every((operation) => {
      const below = this.decideBelow(operation, one).mode;
      const isAlikeBelow = below !== "mixed" && below === this.decideBelow(operation, other).mode;
      const isAlike =
        this.decide("fs", operation, one).mode === this.decide("fs", operation, other).mode;
      return isAlikeBelow && isAlike;
    });
  }
}

function isScope(word: string): word is Scope {
  return Object.hasOwn(scopeOperations, word);
}

/** Listening is for the VM itself: nothing comes into it from outside. */
function isInward(operation: string, subject: string): boolean {
  return operation === "listen" || /^(tcp|udp):\/\/(127\.[\d.]+|\[::1\]):\d+$/.test(subject);
}

function applies(rule: Rule, operation: string, subject: string): boolean {
  const operations = rule.operations ?? ["*"];
  if (!operations.includes("*") && !operations.includes(operation)) return false;
  return (rule.paths ?? rule.patterns ?? ["*"]).some(
    (glob) => glob === "*" || matchesGlob(glob, subject),
  );
}

function ruleReach(rule: Rule, operation: string, directory: string): "all" | "some" | "none" {
  const operations = rule.operations ?? ["*"];
  if (!operations.includes("*") && !operations.includes(operation)) return "none";
  const reaches = (rule.paths ?? ["*"]).map((glob) => reachBelow(glob, directory));
  if (reaches.includes("all")) return "all";
  return reaches.includes("some") ? "some" : "none";
}

function checkScope(scope: Scope, value: PermissionMode | RuleSet): PermissionMode | RuleSet {
  if (typeof value === "string") return checkMode(scope, value);
  if (typeof value !== "object" || value === null || !Array.isArray(value.rules)) {
    throw invalid(scope, 'give "allow", "deny", "ask" or { default, rules: […] }');
  }
  checkKeys(scope, value, ["default", "rules"]);
  if (value.default !== undefined) checkMode(`${scope}.default`, value.default);
  value.rules.forEach((rule, i) => checkRule(scope, rule, `${scope}.rules[${i}]`));
  return value;
}

function checkRule(scope: Scope, rule: Rule, where: string): void {
  if (typeof rule !== "object" || rule === null) throw invalid(where, "a rule is an object");
  const subjects = scope === "fs" ? "paths" : "patterns";
  checkKeys(where, rule, ["mode", "operations", subjects]);
  checkMode(`${where}.mode`, rule.mode);
  const known: readonly string[] = ["*", ...scopeOperations[scope]];
  checkList(`${where}.operations`, rule.operations);
  for (const operation of rule.operations ?? []) {
    if (!known.includes(operation)) {
      throw invalid(`${where}.operations`, `"${operation}" is none of ${known.join(", ")}`);
    }
  }
  checkList(`${where}.${subjects}`, rule[subjects]);
}

function checkList(where: string, list: readonly string[] | undefined): void {
  if (list === undefined) return;
  if (!Array.isArray(list) || list.some((item) => typeof item !== "string" || item === "")) {
    throw invalid(where, "give a list of words");
  }
  if (list.length === 0) throw invalid(where, 'an empty list matches nothing; use ["*"] for all');
}

function checkMode(where: string, mode: PermissionMode): PermissionMode {
  if (mode !== "allow" && mode !== "deny" && mode !== "ask") {
    throw invalid(where, 'a mode is "allow", "deny" or "ask"');
  }
  return mode;
}

function checkKeys(where: string, value: object, known: readonly string[]): void {
  const stray = Object.keys(value).find((key) => !known.includes(key));
  if (stray !== undefined) throw invalid(`${where}.${stray}`, `known here: ${known.join(", ")}`);
}

function invalid(where: string, reason: string): KernelError {
  return new KernelError("EINVAL", `permissions.${where}`, reason);
}

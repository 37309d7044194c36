/** The settings npm knows, by what their values are. */

export const flags: ReadonlySet<string> = new Set(
  `all allow-same-version allow-scripts-pending allow-scripts-pin audit bin-links bypass-2fa color commit-hooks
  dangerously-allow-all-scripts description dev diff-ignore-all-space diff-name-only diff-no-prefix diff-text
  dry-run engine-strict expect-results force foreground-scripts format-package-lock fund git-tag-version global
  global-style if-present ignore-scripts include-attestations include-staged include-workspace-root init-private
  install-links json legacy-bundling legacy-peer-deps link long offline omit-lockfile-registry-resolved optional
  package-lock package-lock-only packages-all parseable prefer-dedupe prefer-offline prefer-online production
  progress provenance read-only rebuild-bundle save save-bundle save-dev save-exact save-optional save-peer
  save-prod shrinkwrap sign-git-commit sign-git-tag strict-allow-scripts strict-peer-deps strict-ssl timing
  unicode update-notifier usage version versions workspaces workspaces-update yes`.split(/\s+/),
);

/** Those that may be given several times. */
export const lists: ReadonlySet<string> = new Set(
  "allow-scripts ca cidr diff include min-release-age-exclude noproxy omit orgs package packages scopes workspace".split(
    " ",
  ),
);

export const texts: ReadonlySet<string> = new Set(
  `_auth access allow-directory allow-file allow-git allow-remote also audit-level auth-type before browser cache
  cache-max cache-min cafile call cert cpu depth diff-dst-prefix diff-src-prefix diff-unified editor
  expect-result-count expires fetch-retries fetch-retry-factor fetch-retry-maxtimeout fetch-retry-mintimeout
  fetch-timeout git globalconfig heading https-proxy init-author-email init-author-name init-author-url
  init-license init-module init-type init-version init.author.email init.author.name init.author.url init.license
  init.module init.version install-strategy key libc local-address location lockfile-version loglevel logs-dir
  logs-max maxsockets message min-release-age name node-gyp node-options only orgs-permission os otp
  pack-destination packages-and-scopes-permission password prefix preid provenance-file proxy registry
  replace-registry-host save-prefix sbom-format sbom-type scope script-shell searchexclude searchlimit searchopts
  searchstaleness shell tag tag-version-prefix token-description umask user-agent userconfig viewer which`.split(
    /\s+/,
  ),
);

/** What a setting is where nobody said it. The rest is empty, or false. */
export const defaults: ReadonlyMap<string, string> = new Map([
  ["audit", "true"],
  ["bin-links", "true"],
  ["cache", "/home/user/.npm"],
  ["fund", "true"],
  ["git-tag-version", "true"],
  ["init-license", "ISC"],
  ["init-type", "commonjs"],
  ["init-version", "1.0.0"],
  ["location", "user"],
  ["loglevel", "notice"],
  ["pack-destination", "."],
  ["package-lock", "true"],
  ["registry", "https://registry.npmjs.org/"],
  ["save", "true"],
  ["save-prefix", "^"],
  ["shell", "/bin/bash"],
  ["tag", "latest"],
  ["tag-version-prefix", "v"],
  ["unicode", "true"],
  ["workspaces-update", "true"],
]);

/** What short and other names stand for. */
export const shorthands: ReadonlyMap<string, readonly [name: string, value?: string]> = new Map([
  ["d", ["loglevel", "info"]],
  ["dd", ["loglevel", "verbose"]],
  ["ddd", ["loglevel", "silly"]],
  ["quiet", ["loglevel", "warn"]],
  ["q", ["loglevel", "warn"]],
  ["s", ["loglevel", "silent"]],
  ["silent", ["loglevel", "silent"]],
  ["verbose", ["loglevel", "verbose"]],
  ["desc", ["description"]],
  ["enjoy-by", ["before"]],
  ["help", ["usage"]],
  ["local", ["global", "false"]],
  ["n", ["yes", "false"]],
  ["no", ["yes", "false"]],
  ["porcelain", ["parseable"]],
  ["readonly", ["read-only"]],
  ["reg", ["registry"]],
  ["iwr", ["include-workspace-root"]],
  ["ws", ["workspaces"]],
  ["a", ["all"]],
  ["c", ["call"]],
  ["f", ["force"]],
  ["g", ["global"]],
  ["L", ["location"]],
  ["l", ["long"]],
  ["m", ["message"]],
  ["p", ["parseable"]],
  ["C", ["prefix"]],
  ["S", ["save"]],
  ["B", ["save-bundle"]],
  ["D", ["save-dev"]],
  ["E", ["save-exact"]],
  ["O", ["save-optional"]],
  ["P", ["save-prod"]],
  ["?", ["usage"]],
  ["H", ["usage"]],
  ["h", ["usage"]],
  ["v", ["version"]],
  ["w", ["workspace"]],
  ["y", ["yes"]],
]);

export function isKnownSetting(name: string): boolean {
  return flags.has(name) || lists.has(name) || texts.has(name);
}

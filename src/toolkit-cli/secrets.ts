/** What secrets are called, and what they look like. */
import type { JsonValue } from "./json-schema.ts";
import { splitWords } from "./names.ts";

const WORDS: ReadonlySet<string> = new Set([
  "password",
  "passwords",
  "passwd",
  "passphrase",
  "passcode",
  "pwd",
  "secret",
  "secrets",
  "token",
  "tokens",
  "bearer",
  "credential",
  "credentials",
  "authorization",
  "cookie",
  "cookies",
  "apikey",
  "otp",
]);

/** Of two words: `api-key`, `private_key`, `accessKey`. */
const PAIRS = /(^|-)(api|access|private|secret|signing|encryption|session|auth)-keys?($|-)/;

/** Whether a property of that name is a secret; `maxTokens: 100` and `hasPassword: true` are none. */
export function isSecretName(name: string, value: JsonValue): boolean {
  if (value === null || typeof value === "boolean") return false;
  const words = splitWords(name.slice(0, 200));
  if (PAIRS.test(words.join("-"))) return true;
  return words.some((word) => {
    if (!WORDS.has(word)) return false;
    return !(word.startsWith("token") && typeof value === "number");
  });
}

export const REDACTED = "[redacted]";

/** Texts that are secrets as a whole: credentials of HTTP, tokens of well-known services. */
const WHOLE: readonly RegExp[] = [
  /^(Bearer|Basic|Token) \S+$/i,
  /^(sk|pk|rk|ghp|gho|ghu|ghs|ghr|glpat|xox[abeoprs]|npm|hf)[-_][A-Za-z0-9_-]{16,}$/,
  /^github_pat_\w{20,}$/,
  /^(AKIA|ASIA)[A-Z0-9]{16}$/,
];

/** Secrets in a text, whose rest is shown: JSON Web Tokens, private keys, credentials in URLs. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/^\s*eyJ[A-Za-z0-9_-]+\.eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/, REDACTED],
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^]*?-----END [A-Z ]{0,30}PRIVATE KEY-----/g, REDACTED],
  [/^(\s*[a-z][a-z0-9+.-]{0,20}:\/\/)[^/\s:@]{0,200}:[^/\s@]{1,200}@/i, `$1${REDACTED}@`],
];

const ENDLESS_KEY = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/;
const LOOKED_AT_CHARACTERS = 4096;

/**
 * The text with the secrets at its beginning kept back, and they alone: who is asked to agree to an input sees the rest of
 * it, also where somebody has put what looks like a secret beside it.
 */
export function hideSecrets(text: string): string {
  const head = text.slice(0, LOOKED_AT_CHARACTERS);
  const bare = head.trim();
  if (WHOLE.some((shape) => shape.test(bare))) return REDACTED;
  const shown = PARTS.reduce((rest, [shape, instead]) => rest.replace(shape, instead), head);
  const key = shown.search(ENDLESS_KEY);
  if (key >= 0) return `${shown.slice(0, key)}${REDACTED}`;
  return shown + text.slice(LOOKED_AT_CHARACTERS);
}

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

/** The lines of a key in PEM: nothing but base64, in long words. Whatever else stands beside it is shown. */
const KEY_LINES =
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----\s*(?:[A-Za-z0-9+/=]{40,}\s*)+(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g;

/** Secrets in a text, whose rest is shown: JSON Web Tokens, private keys, credentials in URLs. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/^\s*eyJ[A-Za-z0-9_-]+\.eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/, REDACTED],
  [KEY_LINES, REDACTED],
  [/^(\s*[a-z][a-z0-9+.-]{0,20}:\/\/)[^/\s:@]{0,200}:[^/\s@]{1,200}@/i, `$1${REDACTED}@`],
];

const LOOKED_AT_CHARACTERS = 64 * 1024;

/** The text with the secrets in it kept back, and they alone: nothing beside a secret vanishes with it. A long text is cut. */
export function hideSecrets(text: string): string {
  const head = text.slice(0, LOOKED_AT_CHARACTERS);
  if (WHOLE.some((shape) => shape.test(head.trim()))) return REDACTED;
  const shown = PARTS.reduce((rest, [shape, instead]) => rest.replace(shape, instead), head);
  const rest = text.length - head.length;
  return rest === 0 ? shown : `${shown}… (${rest} more characters)`;
}

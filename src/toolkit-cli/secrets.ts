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

/** Tokens of well-known services, JSON Web Tokens, private keys, credentials of HTTP and in URLs. */
const SHAPES: readonly RegExp[] = [
  /^(Bearer|Basic|Token) \S+$/i,
  /^(sk|pk|rk|ghp|gho|ghu|ghs|ghr|glpat|xox[abeoprs]|npm|hf)[-_][A-Za-z0-9_-]{16,}$/,
  /^github_pat_\w{20,}$/,
  /^(AKIA|ASIA)[A-Z0-9]{16}$/,
  /^eyJ[A-Za-z0-9_-]+\.eyJ[A-Za-z0-9_-]+\./,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/,
  /^[a-z][a-z0-9+.-]{0,20}:\/\/[^/\s:@]{0,200}:[^/\s@]{1,200}@/i,
];

export function isSecretText(text: string): boolean {
  const head = text.slice(0, 4096).trim();
  return SHAPES.some((shape) => shape.test(head));
}

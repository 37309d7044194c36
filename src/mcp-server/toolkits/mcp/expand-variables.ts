/**
 * `${NAME}`, `${env:NAME}` and `${NAME:-default}` as MCP hosts have them. `onMissing` is called for a
 * name that is not set and has no default, and throws.
 */
export function expandVariables(
  text: string,
  env: NodeJS.ProcessEnv,
  onMissing: (variable: string) => never,
): string {
  return text.replace(reference, (_, name: string, fallback: string | undefined) => {
    const value = env[name];
    if (value !== undefined && (value !== "" || fallback === undefined)) return value;
    return fallback ?? onMissing(name);
  });
}

const reference = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

// What a tool's outputSchema says its result is.

export interface OutputPromise {
  readonly schema: Record<string, unknown>;
  /** The property of what the server sends that is the result. */
  readonly property: string | undefined;
}

/** Names that say nothing of what they hold. */
const emptyNames: readonly string[] = ["content", "output", "result", "text"];

/**
 * Before 2026-07-28 MCP's structured content had to be an object. Servers that have something else to say
 * wrap it: FastMCP puts it into `result` and says so, others promise an object of one string, with a name
 * like `content`. Here it comes out again. Throws a TypeError where the schema is none.
 */
export function readPromise(outputSchema: unknown): OutputPromise | undefined {
  if (outputSchema === undefined) return undefined;
  const schema = checkObject(outputSchema);
  const { properties, $defs } = schema;
  const [property = "", ...others] = isObject(properties) ? Object.keys(properties) : [];
  const inner = isObject(properties) ? properties[property] : undefined;
  const isSaid = schema["x-fastmcp-wrap-result"] === true && property === "result";
  const isPlain = isObject(inner) && inner["type"] === "string" && emptyNames.includes(property);
  if (others.length > 0 || !isObject(inner) || !(isSaid || isPlain)) {
    return { schema, property: undefined };
  }
  return { schema: { ...inner, ...($defs === undefined ? {} : { $defs }) }, property };
}

export function checkObject(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value;
  throw new TypeError("A schema must be an object.");
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

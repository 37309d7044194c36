/** A JSON value, as tools take and give it. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A JSON Schema (2020-12) as it came: nothing in it is believed, every keyword is looked at first. */
export type JsonSchema = { readonly [keyword: string]: JsonValue };

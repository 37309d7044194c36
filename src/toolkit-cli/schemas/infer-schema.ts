/** The type of what a schema lets through, for a handler's first parameter. */
import type { AnySchema } from "./read-schema.ts";

/** zod and Standard Schema say it themselves; JSON Schema written in place is read. */
export type InferSchema<S extends AnySchema> = S extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : S extends { readonly _output: infer Output }
    ? Output
    : FromJsonSchema<S>;

/** Of the keywords with an exact counterpart; `unknown` for the rest. */
type FromJsonSchema<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Member)[] }
    ? Member
    : S extends { readonly anyOf: readonly (infer Member)[] }
      ? FromJsonSchema<Member>
      : S extends { readonly oneOf: readonly (infer Member)[] }
        ? FromJsonSchema<Member>
        : S extends { readonly type: infer Type }
          ? FromType<Type, S>
          : S extends { readonly properties: object }
            ? FromObject<S>
            : unknown;

type FromType<Type, S> = Type extends readonly (infer Member)[]
  ? FromType<Member, S>
  : Type extends "string"
    ? string
    : Type extends "number" | "integer"
      ? number
      : Type extends "boolean"
        ? boolean
        : Type extends "null"
          ? null
          : Type extends "array"
            ? S extends { readonly items: infer Items }
              ? FromJsonSchema<Items>[]
              : unknown[]
            : Type extends "object"
              ? FromObject<S>
              : unknown;

type FromObject<S> = S extends { readonly properties: infer Properties }
  ? {
      [Key in keyof Properties as IsPresent<S, Properties, Key> extends true
        ? Key
        : never]: FromJsonSchema<Properties[Key]>;
    } & {
      [Key in keyof Properties as IsPresent<S, Properties, Key> extends true
        ? never
        : Key]?: FromJsonSchema<Properties[Key]>;
    }
  : S extends { readonly additionalProperties: infer Values }
    ? Values extends object
      ? Record<string, FromJsonSchema<Values>>
      : Record<string, unknown>
    : Record<string, unknown>;

/** Required, or filled in by its default. */
type IsPresent<S, Properties, Key extends keyof Properties> = Properties[Key] extends {
  readonly default: unknown;
}
  ? true
  : S extends { readonly required: readonly (infer Name)[] }
    ? Key extends Name
      ? true
      : false
    : false;

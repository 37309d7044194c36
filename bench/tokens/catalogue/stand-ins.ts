// The tools that are there and not needed: a catalogue as an agent of a company has it. They are listed,
// searched and described like any other; nobody calls them.
import {
  type JsonSchema,
  ToolError,
  type Toolkit,
  tool,
  toolkit,
} from "../../../src/toolkit-cli/index.ts";
import { type FieldType, type SystemRow, systems, type ThingRow } from "./systems.ts";

/** A toolkit for each system, the same in every run. */
export function standIns(): readonly Toolkit[] {
  return systems.map((system) =>
    toolkit(system.name, {
      description: system.about,
      tools: Object.fromEntries(system.things.flatMap((thing) => toolsOf(system, thing))),
    }),
  );
}

type Properties = Record<string, JsonSchema>;

function toolsOf(system: SystemRow, { one, many, about, fields }: ThingRow) {
  const id = `${one.replaceAll("-", "_")}_id`;
  const idProperty: Properties = { [id]: text(`The id of the ${one}`) };
  const properties: Properties = Object.fromEntries(
    fields.map(([name, type, said]) => [name, { ...typeOf(type), description: said }]),
  );
  const required = fields.filter(([, type]) => type === "string!").map(([name]) => name);
  const first = fields.find(([, type]) => Array.isArray(type))?.[0];
  const filter = first === undefined ? {} : { [first]: properties[first] ?? {} };
  const make = (name: string, description: string, input: Properties, needed: string[]) =>
    [name, standIn(system, description, { properties: input, required: needed })] as const;
  return [
    make(
      `list-${many}`,
      `List ${many} of ${system.name}, newest first. Each is ${about}. Returns a page and a cursor for the next one.`,
      {
        ...filter,
        created_after: text("Only those made after this time, RFC 3339"),
        created_before: text("Only those made before this time, RFC 3339"),
        include_archived: { type: "boolean", description: "Whether archived ones are listed, too" },
        ...paging,
        sort: choice(["created", "updated", "name"], "What to sort by"),
        order: choice(["ascending", "descending"], "Which come first"),
      },
      [],
    ),
    make(
      `search-${many}`,
      `Search ${many} by words in their text. Use list-${many} to go through all of them.`,
      {
        query: text(
          'Words to look for; "quoted words" must follow each other, -word must not appear',
        ),
        ...filter,
        search_in: choice(["title", "text", "everything"], "Where the words must be"),
        ...paging,
      },
      ["query"],
    ),
    make(
      `get-${one}`,
      `Get ${about} by its id, with all its fields. Fails where there is none or you may not see it.`,
      { ...idProperty, ...detail },
      [id],
    ),
    make(
      `create-${one}`,
      `Create ${about}. Returns it with its id. Use update-${one} to change one that exists.`,
      { ...properties, ...writing },
      required,
    ),
    make(
      `update-${one}`,
      `Change ${about}. Only the fields that are given are changed.`,
      { ...idProperty, ...properties, ...writing },
      [id],
    ),
    make(
      `delete-${one}`,
      `Delete ${about}. This cannot be undone.`,
      { ...idProperty, reason: text("Kept in the audit log") },
      [id],
    ),
  ];
}

function standIn(
  { name }: SystemRow,
  description: string,
  shape: { properties: Properties; required: string[] },
) {
  return tool({
    description,
    input: { type: "object", ...shape, additionalProperties: false },
    handler(): never {
      throw new ToolError("unavailable", `${name} is in the catalogue only; no task needs it.`);
    },
  });
}

const paging: Properties = {
  limit: {
    type: "integer",
    minimum: 1,
    maximum: 100,
    description: "Results on a page, 20 unless given",
  },
  cursor: text("Where the page before ended"),
};

const detail: Properties = {
  expand: {
    type: "array",
    items: { type: "string" },
    description: "Names of related things to include in full instead of by their ids",
  },
  response_format: choice(["concise", "detailed"], "How much of it to return"),
};

const writing: Properties = {
  custom_fields: {
    type: "object",
    additionalProperties: { type: "string" },
    description: "Fields that the organisation has added, by name",
  },
  idempotency_key: text("The same key within a day does the same thing only once"),
};

function text(description: string): JsonSchema {
  return { type: "string", description };
}

function choice(values: readonly string[], description: string): JsonSchema {
  return { type: "string", enum: [...values], description };
}

function typeOf(type: FieldType): JsonSchema {
  if (typeof type !== "string") return { type: "string", enum: [...type] };
  switch (type) {
    case "string":
    case "string!":
      return { type: "string" };
    case "strings":
      return { type: "array", items: { type: "string" } };
    case "number":
    case "integer":
    case "boolean":
      return { type };
  }
}

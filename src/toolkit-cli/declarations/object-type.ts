/** Object schemas as TypeScript: on one line where that is short, else a property a line with its comment. */
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import { describeRange } from "../schema-range.ts";
import { isSchema, type TypePlace, type WriteType } from "./type-place.ts";
import { docComment, propertyKey } from "./type-text.ts";

/** Models read long lines; line breaks and indents cost them tokens. */
const LINE_LIMIT_CHARACTERS = 300;
const DEFAULT_LIMIT_CHARACTERS = 40;

export function objectType(schema: JsonSchema, place: TypePlace, write: WriteType): string {
  const properties = isSchema(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const { additionalProperties: others, patternProperties } = schema;
  const isOpen = others === true || isSchema(others) || isSchema(patternProperties);
  if (properties.length === 0) return emptyObject(schema, place, write);
  const shown = properties.slice(0, place.style.propertyLimit);
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const inner = { ...place, depth: place.depth + 1, indent: `${place.indent}  ` };
  const members = shown.map(([name, property]) => ({
    comment: place.style.comments ? describe(property) : "",
    text: `${propertyKey(name)}${required.has(name) ? "" : "?"}: ${write(property, inner)}`,
  }));
  const left = properties.length - shown.length;
  if (isOpen || left > 0) {
    const comment = left > 0 ? docComment(`${left} more`) : "";
    members.push({ comment, text: "[key: string]: any" });
  }
  return layOut(members, inner.indent, place.indent);
}

/** An object whose properties have no names. */
function emptyObject(schema: JsonSchema, place: TypePlace, write: WriteType): string {
  const { additionalProperties: others } = schema;
  if (others === false && !isSchema(schema["patternProperties"])) return "{}";
  const inner = { ...place, depth: place.depth + 1 };
  return `Record<string, ${isSchema(others) ? write(others, inner) : "any"}>`;
}

interface Member {
  readonly comment: string;
  readonly text: string;
}

function layOut(members: readonly Member[], indent: string, outer: string): string {
  const line = `{ ${members.map(({ text }) => text).join("; ")} }`;
  const hasComments = members.some(({ comment }) => comment !== "");
  if (!hasComments && line.length <= LINE_LIMIT_CHARACTERS && !line.includes("\n")) return line;
  const lines = members.map(({ comment, text }) => {
    const said = comment === "" ? "" : `${indent}${comment}\n`;
    return `${said}${indent}${text};\n`;
  });
  return `{\n${lines.join("")}${outer}}`;
}

/** A property's own words, its default and its range. */
function describe(property: JsonValue): string {
  if (!isSchema(property)) return "";
  const words = [property["description"], property["title"]].find(
    (text) => typeof text === "string" && text.trim() !== "",
  );
  return docComment(
    [typeof words === "string" ? words.trim() : "", rangeOf(property), defaultOf(property)]
      .filter((part) => part !== "")
      .join(" "),
  );
}

function defaultOf(schema: JsonSchema): string {
  if (!Object.hasOwn(schema, "default")) return "";
  const text = JSON.stringify(schema["default"]);
  return text.length > DEFAULT_LIMIT_CHARACTERS ? "" : `Default ${text}.`;
}

/** Which numbers, or which kind of text. */
function rangeOf(schema: JsonSchema): string {
  const { format, contentEncoding } = schema;
  const range = describeRange(schema);
  if (range !== "") return `(${range})`;
  if (contentEncoding === "base64") return "(base64)";
  return typeof format === "string" && /^[a-z0-9-]{1,20}$/.test(format) ? `(${format})` : "";
}

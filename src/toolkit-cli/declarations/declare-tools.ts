/** Tools as TypeScript: for a model to read, or for the type check of code that calls them. */
import type { ToolDescription, ToolkitDescription } from "../description.ts";
import { toJavaScriptName } from "../names.ts";
import { NamedTypes } from "./named-types.ts";
import { schemaType } from "./schema-type.ts";
import type { TypePlace, TypeStyle } from "./type-place.ts";
import { docComment, propertyKey } from "./type-text.ts";

/** What a reader gets of one tool at most: about 2,000 tokens. */
const SHOWN_LIMIT_CHARACTERS = 8_000;
const COMMENT_LIMIT_CHARACTERS = 600;

/** The first that fits is taken. */
const shownStyles: readonly TypeStyle[] = [
  { comments: true, depthLimit: 8, propertyLimit: 100 },
  { comments: false, depthLimit: 8, propertyLimit: 100 },
  { comments: false, depthLimit: 3, propertyLimit: 60 },
  { comments: false, depthLimit: 1, propertyLimit: 40 },
];

const checkedStyle: TypeStyle = { comments: false, depthLimit: 12, propertyLimit: 2_000 };
/** A tool whose types are longer is not checked. */
const CHECKED_LIMIT_CHARACTERS = 400_000;

/** `tools.<toolkit>.<tool>`: how code calls it. */
export function toolExpression(toolkit: string, tool: string): string {
  return `tools${accessor(toolkit)}${accessor(tool)}`;
}

/** One tool for a reader: its comment, its call with input and result, and the types that those name. */
export function showTool(toolkit: string, tool: ToolDescription): string {
  let text = "";
  for (const style of shownStyles) {
    const { names, input, output } = typesOf(tool, style, "");
    const types = writeNamed(names, style);
    const call = `${toolExpression(toolkit, tool.name)}(${parameter(input)}): Promise<${output}>`;
    text = [commentOf(tool), call, ...types].filter((part) => part !== "").join("\n");
    if (text.length <= SHOWN_LIMIT_CHARACTERS) return text;
  }
  return `${text.slice(0, SHOWN_LIMIT_CHARACTERS)}…`;
}

/** A toolkit whose tools are not known here: code may call whatever it likes. */
export type UnknownToolkit = Pick<ToolkitDescription, "name">;

/** The global `tools` for a type check: every toolkit by name, with the types of those that are described. */
export function declareTools(toolkits: readonly (ToolkitDescription | UnknownToolkit)[]): string {
  const names = new NamedTypes();
  const lines = toolkits.map((toolkit) => {
    const key = propertyKey(toJavaScriptName(toolkit.name));
    if (!("tools" in toolkit)) return `  readonly ${key}: any;`;
    const tools = toolkit.tools.map((tool) => `    ${declareTool(tool, names)}`);
    if (tools.length === 0) return `  readonly ${key}: NoTools;`;
    return `  readonly ${key}: {\n${tools.join("\n")}\n  };`;
  });
  const types = writeNamed(names, checkedStyle);
  const all = lines.length === 0 ? "NoToolkits" : `{\n${lines.join("\n")}\n}`;
  return [toolInterfaces, ...types, `declare const tools: ${all};\n`].join("\n");
}

/** What can be done with a tool; see the package `agentos` in the VM. */
const toolInterfaces = `interface NoToolkits {}
interface NoTools {}
interface ToolOptions { signal?: AbortSignal }
interface Tool<Input, Output> {
  (input: Input, options?: ToolOptions): Promise<Output>;
  stream(input: Input, options?: ToolOptions): AsyncIterable<any>;
}
interface ToolWithDefaults<Input, Output> {
  (input?: Input, options?: ToolOptions): Promise<Output>;
  stream(input?: Input, options?: ToolOptions): AsyncIterable<any>;
}`;

function declareTool(tool: ToolDescription, names: NamedTypes): string {
  const { input, output } = typesOf(tool, checkedStyle, "    ", names);
  const kind = input.isOptional ? "ToolWithDefaults" : "Tool";
  const key = propertyKey(toJavaScriptName(tool.name));
  const types = `${input.type}, ${output}`;
  const isShort = types.length <= CHECKED_LIMIT_CHARACTERS;
  return `readonly ${key}: ${kind}<${isShort ? types : "any, any"}>;`;
}

interface InputType {
  readonly type: string;
  /** Whether `{}` will do. */
  readonly isOptional: boolean;
}

interface ToolTypes {
  readonly names: NamedTypes;
  readonly input: InputType;
  readonly output: string;
}

function typesOf(
  tool: ToolDescription,
  style: TypeStyle,
  indent: string,
  names = new NamedTypes(),
): ToolTypes {
  const place = { names, style, depth: 0, indent };
  const rootName = tool.name;
  const type = schemaType(tool.input, {
    ...place,
    root: tool.input,
    rootName: `${rootName} input`,
  });
  const output =
    tool.output === undefined
      ? "any"
      : schemaType(tool.output, {
          ...place,
          root: tool.output,
          rootName: `${rootName} output`,
          style: { ...style, comments: false },
        });
  return { names, input: { type, isOptional: takesNothing(tool) }, output };
}

function takesNothing({ input }: ToolDescription): boolean {
  const { required } = input;
  const asks = Array.isArray(required) && required.length > 0;
  return !asks && !["$ref", "allOf", "anyOf", "oneOf"].some((name) => Object.hasOwn(input, name));
}

function parameter({ type, isOptional }: InputType): string {
  return type === "{}" ? "" : `input${isOptional ? "?" : ""}: ${type}`;
}

function writeNamed(names: NamedTypes, style: TypeStyle): string[] {
  const types: string[] = [];
  for (let named = names.take(); named !== undefined; named = names.take()) {
    const { name, root, schema } = named;
    const place: TypePlace = { root, rootName: name, names, style, depth: 0, indent: "" };
    const type = schemaType(schema, place);
    // A type that is only itself is none.
    types.push(`type ${name} = ${type === name ? "any" : type};`);
  }
  return types;
}

function commentOf(tool: ToolDescription): string {
  const notes = [
    tool.isReadOnly ? "Read-only." : "",
    tool.needsApproval ? "Somebody must approve each call." : "",
  ].filter((note) => note !== "");
  const words = [...notes, tool.description.trim()].join(" ");
  return docComment(words, COMMENT_LIMIT_CHARACTERS);
}

function accessor(name: string): string {
  const key = propertyKey(toJavaScriptName(name));
  return key.startsWith('"') ? `[${key}]` : `.${key}`;
}

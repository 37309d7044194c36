// The documents that are made from the server's tables: docs/tools.md and docs/errors.md.
import { z } from "zod";
import { tools } from "../src/mcp-server/tool-list.ts";
import { sandboxOpen } from "../src/mcp-server/tools/sandbox-open.ts";
import { hostErrors } from "../src/vm/host-error.ts";

/** @typedef {{ type?: string, description?: string, enum?: string[], items?: Schema, properties?: Record<string, Schema>, required?: string[], additionalProperties?: Schema | boolean }} Schema */

/** The documents by their paths in the project. */
export const serverDocs = { "docs/tools.md": renderTools, "docs/errors.md": renderErrors };

/** What the schemas cannot say. */
const contract = [
  "A command that exits with a status other than 0 is a result. `isError` means that the server",
  "could not do what was asked: [errors.md](errors.md) lists why, and what to do.",
  "",
  "A command belongs to the `vm_exec` that started it until that call has answered: a client that",
  "cancels the call, or leaves, ends the command (SIGINT, then the end of all it has started, but for what has made a session of its own). Once",
  "`vm_exec` or `code_run` has answered `running`, the command belongs to the VM; it goes on when clients leave, and",
  "cancelling a `vm_exec_io` ends only the wait.",
  "",
  "Without `vm_id`, a client always uses the same VM, by its name and its project: what `CLAUDE_PROJECT_DIR` says, else the",
  "directory it runs in, else its first MCP root. The first answer names the VM. A VM whose files are gone,",
  "because it or its server has ended, is said to be new in a `notice`.",
  "",
  "A command starts in the directory in which the last command of that client in that VM ended, or in `cwd`. The",
  "answer names the directory (`cwd`) when it has changed. A call that ends while another of the same connection",
  "runs does not change it. Variables, functions and options of the shell do not persist.",
  "",
  "Each connection sees all of a command's output, in order: `vm_exec_io` returns what this connection has",
  "not been shown yet, and for a command that another connection started, all from its start. The output is",
  "kept (up to 256 MiB a stream) and can be read by its `log_uri`, as an MCP resource or with `fs_read`; an",
  "answer says how many bytes it omits.",
  "",
  "`vm_exec_io` with `stdin` returns when the command has read it and waits for more, or has printed something",
  "and then pauses for a second; without `stdin`, or with `close_stdin`, when the command has ended. Either",
  "way it returns after `yield_ms` at the latest. Input of several calls is never mixed.",
  "",
  "With `tty` a command runs on a terminal of 80 columns and 24 rows, or of `cols` (2 to 500) and `rows` (1 to 200). Answers",
  "then have what its `screen` shows as text, and the `cursor`, instead of `stdout`; what has left the screen is in the log.",
  "`vm_exec` with `tty` or `interactive` returns as soon as the command waits for input. `vm_exec_io` types `stdin` as keys,",
  "and with `cols` or `rows` it resizes the terminal; where the command then neither prints nor waits for input, it",
  "returns after five seconds.",
  "",
];

function renderTools() {
  const sections = [...tools, sandboxOpen].map((tool) => {
    const { annotations } = tool;
    const hints = [
      annotations.readOnlyHint ? "read-only" : "",
      annotations.destructiveHint ? "destructive" : "",
      annotations.idempotentHint ? "idempotent" : "",
      annotations.openWorldHint ? "open world" : "",
    ].filter((hint) => hint !== "");
    return [
      `## ${tool.name}`,
      "",
      `${tool.title}: ${tool.description}`,
      "",
      `Hints: ${hints.length === 0 ? "none" : hints.join(", ")}.`,
      "",
      ...fieldTable("argument", schemaOf(tool.inputSchema, "input")),
      "",
      ...(tool.outputSchema === undefined
        ? ["Answers text or an image, without structured content."]
        : fieldTable("result", schemaOf(tool.outputSchema, "output"))),
      "",
    ].join("\n");
  });
  return [
    "# MCP tools",
    "",
    "Generated from `src/mcp-server/tools` by `npm run docs`.",
    "",
    ...contract,
    ...sections,
  ].join("\n");
}

function renderErrors() {
  const rows = Object.entries(hostErrors).map(
    ([code, { says, remedy }]) => `| \`${code}\` | ${escape(says)} | ${escape(remedy)} |`,
  );
  return [
    "# Errors",
    "",
    "What an MCP tool, a command or the library says when it cannot do what was asked. Generated from",
    "`src/vm/host-error.ts` by `npm run docs`. Words in braces are filled in.",
    "",
    "Calls on files fail as they would for a program in the VM: with the path, the words of Linux's",
    "`strerror`, and the limit or rule of the policy that was met, where one was.",
    "",
    "| code | says | what to do |",
    "| --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

/**
 * @param {z.ZodType} schema
 * @param {"input" | "output"} io
 */
function schemaOf(schema, io) {
  return /** @type {Schema} */ (z.toJSONSchema(schema, { io }));
}

/**
 * @param {string} what
 * @param {Schema} schema
 */
function fieldTable(what, { properties = {}, required = [] }) {
  const rows = Object.entries(properties).map(([name, field]) => {
    const need = required.includes(name) ? `**${name}**` : name;
    return `| ${need} | ${escape(typeOf(field))} | ${escape(field.description ?? "")} |`;
  });
  return [`| ${what} | type | |`, "| --- | --- | --- |", ...rows];
}

/**
 * @param {Schema} schema
 * @returns {string}
 */
function typeOf(schema) {
  if (schema.enum !== undefined) return schema.enum.map((value) => `"${value}"`).join(" | ");
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`;
  if (schema.type === "object" && schema.properties !== undefined) {
    return `{ ${Object.keys(schema.properties).join(", ")} }`;
  }
  return schema.type ?? "any";
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll("|", "\\|");
}

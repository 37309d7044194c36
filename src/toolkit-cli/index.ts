/** The front door: toolkits, their tools, and calls of them. `agentos-mcp/toolkit` to host programs. */
export {
  countValues,
  JsonLimitError,
  type JsonLimits,
  JsonMeter,
  MESSAGE_JSON,
  parseBoundedJson,
  REQUEST_JSON,
  RESULT_JSON,
} from "./bounded-json.ts";
export {
  type ApprovalQuestion,
  type ApprovalVerdict,
  type Approve,
  callTool,
  TOOL_CALL_LIMITS,
  type ToolCall,
  type ToolCallLimits,
} from "./call-tool.ts";
export { DESCRIPTION_LIMIT_CHARACTERS } from "./checked-text.ts";
export { declareTools, showTool, toolExpression } from "./declarations/declare-tools.ts";
export { DEFAULT_TIMEOUT_MS, type ToolDefinition, type ToolOptions, tool } from "./define-tool.ts";
export { TOOLS_LIMIT, type ToolkitOptions, toolkit } from "./define-toolkit.ts";
export { cutText, describeFailure } from "./describe-failure.ts";
export { describeTool, describeToolkit } from "./describe-toolkit.ts";
export type { ToolDescription, ToolkitDescription } from "./description.ts";
export {
  type DeviceEvent,
  type DeviceRequest,
  REQUEST_LIMIT_BYTES,
  TOOLKITS_DEVICE,
} from "./device-protocol.ts";
export { type ExactOutput, output } from "./exact-output.ts";
export {
  type HostCommand,
  type HostCommandCall,
  HostCommandError,
  type KilledBySignal,
  type TerminalSize,
} from "./host-command.ts";
export type { JsonSchema, JsonValue } from "./json-schema.ts";
export {
  checkDistinct,
  checkedName,
  NAME_LIMIT_CHARACTERS,
  splitWords,
  toJavaScriptName,
  toKebabCase,
} from "./names.ts";
export { nearest } from "./nearest.ts";
export { toPlainJson } from "./plain-json.ts";
export { rankTools, type ToolMatch } from "./rank-tools.ts";
export { redactInput } from "./redact-input.ts";
export { compileJsonSchema } from "./schemas/compile-json-schema.ts";
export { copyJsonSchema, SCHEMA_LIMIT_BYTES } from "./schemas/copy-json-schema.ts";
export type { InferSchema } from "./schemas/infer-schema.ts";
export { asObjectSchema } from "./schemas/object-schema.ts";
export type { AnySchema } from "./schemas/read-schema.ts";
export { type SearchOptions, type SearchResult, searchTools } from "./search-tools.ts";
export { REDACTED } from "./secrets.ts";
export { type ShownInput, sha256, showInput } from "./show-input.ts";
export {
  ToolError,
  type ToolErrorCode,
  type ToolEvent,
  type ToolFailure,
  type ToolValue,
} from "./tool-event.ts";
export type {
  Exposure,
  Issue,
  Tool,
  ToolContext,
  ToolExample,
  Toolkit,
  Validation,
} from "./toolkit.ts";
export { atOnce, type Turn } from "./turn.ts";
export { noteLookalikes, visibleJson, visibleLine, visibleText } from "./visible-text.ts";

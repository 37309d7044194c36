// MCP servers as toolkits, for tests: real processes, all ended with the test.
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import type { McpServerConfig } from "../../../../src/mcp-server/config/mcp-servers-config.ts";
import { ChildGroups } from "../../../../src/mcp-server/toolkits/mcp/child-groups.ts";
import { McpToolkit } from "../../../../src/mcp-server/toolkits/mcp/mcp-toolkit.ts";
import {
  callTool,
  type JsonValue,
  type Tool,
  type ToolEvent,
  type Toolkit,
} from "../../../../src/toolkit-cli/index.ts";

const oddServer = fileURLToPath(new URL("fixtures/odd-server.mjs", import.meta.url));

export interface ToolkitUnderTest {
  readonly toolkit: McpToolkit;
  readonly log: string[];
}

export interface TestOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly startMs?: number;
  readonly now?: () => number;
}

export function mcpToolkit(
  config: McpServerConfig,
  { env = {}, ...options }: TestOptions = {},
): ToolkitUnderTest {
  const log: string[] = [];
  const toolkit = new McpToolkit({
    name: "odd",
    key: "odd",
    config,
    directory: "/",
    env,
    groups: new ChildGroups(),
    log: (line) => log.push(line),
    ...options,
  });
  onTestFinished(async () => await toolkit.close());
  return { toolkit, log };
}

/** The server of fixtures/odd-server.mjs that misbehaves so. */
export function oddToolkit(
  kind: string,
  config: McpServerConfig = {},
  options: TestOptions = {},
): ToolkitUnderTest {
  const args = [oddServer, kind, ...(config.args ?? [])];
  return mcpToolkit(
    { command: process.execPath, ...config, args },
    { startMs: 20_000, ...options },
  );
}

export async function getTool(toolkit: Toolkit, name: string): Promise<Tool> {
  const tools = await toolkit.tools();
  const found = tools.find((tool) => tool.name === name);
  if (found === undefined)
    throw new Error(`no ${name} in ${tools.map((tool) => tool.name).join()}`);
  return found;
}

export async function callAll(
  toolkit: Toolkit,
  name: string,
  input: JsonValue = {},
  signal?: AbortSignal,
): Promise<ToolEvent[]> {
  const call = { vm: "vm", pid: 1, command: "test", ...(signal === undefined ? {} : { signal }) };
  const events: ToolEvent[] = [];
  for await (const event of callTool(await getTool(toolkit, name), input, call)) events.push(event);
  return events;
}

/** The last event of a call. */
export async function call(
  toolkit: Toolkit,
  name: string,
  input: JsonValue = {},
): Promise<ToolEvent | undefined> {
  const events = await callAll(toolkit, name, input);
  return events.at(-1);
}

export function textResult(text: string): ToolEvent {
  return { type: "result", value: { kind: "text", text } };
}

export function jsonResult(json: JsonValue): ToolEvent {
  return { type: "result", value: { kind: "json", json } };
}

/** The text a call gives; anything else is an error. */
export async function callText(
  toolkit: Toolkit,
  name: string,
  input: JsonValue = {},
): Promise<string> {
  const event = await call(toolkit, name, input);
  if (event?.type === "result" && event.value?.kind === "text") return event.value.text;
  throw new Error(`no text but ${JSON.stringify(event)}`);
}

export async function waitUntilGone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid)).toBe(false);
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

// A conversation between a client, its model and tools, written down as it went.

export interface ToolUse {
  readonly name: string;
  readonly input: unknown;
  /** What the model is shown of the result. */
  readonly answer: string;
}

/** One message of the model's that calls tools, at once where there are several, and their answers. */
export interface Turn {
  readonly uses: readonly ToolUse[];
}

export interface Conversation {
  /** What stands in every request before anything is said: tool definitions and servers' instructions. */
  readonly definitions: readonly string[];
  /** What else the model knows from the start, such as notes on a command. */
  readonly notes: string;
  readonly prompt: string;
  readonly turns: readonly Turn[];
  /** The model's last message. */
  readonly answer: string;
}

/** A tool as clients put it in front of a model. */
export interface Definition {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
}

/** Titles, annotations and output schemas are not counted: most clients keep them from the model. */
export function definitionText({ name, description, inputSchema }: Definition): string {
  return JSON.stringify({ name, description, input_schema: inputSchema });
}

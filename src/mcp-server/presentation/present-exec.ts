// How a command looks to an MCP client: its state and the output that is new, within a limit.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Exec, ExecState, OutputLog, PendingApproval, ScreenView } from "../../vm/index.ts";
import { pendingApproval, pendingText, presentPending } from "../approvals/present-pending.ts";
import { excerpt, type Span } from "./excerpt.ts";
import { type LogStream, logUri } from "./log-uri.ts";
import type { OutputCursors } from "./output-cursors.ts";

const count = z.number().meta({ type: "integer" });

/** Some clients show the model only this, so it is complete; what says nothing is left out. */
export const execResult = z.object({
  status: z.enum(["exited", "running", "timed_out", "killed"]),
  /** 128 + signal when a signal ended it. */
  exit_code: count.optional(),
  signal: z.string().optional(),
  stdout: z.string(),
  stderr: z.string(),
  /** What its terminal shows, instead of stdout. */
  screen: z.string().optional(),
  /** On the screen, from 1. */
  cursor: z.object({ row: count, column: count }).optional(),
  exec_id: z.string(),
  /** Where the next command starts, when that has changed. */
  cwd: z.string().optional(),
  truncated: z.boolean(),
  /** Where all of the output is. */
  log_uri: z.string().optional(),
  /** There are bytes that are no UTF-8: each shows as U+FFFD, the log has them. */
  binary: z.boolean().optional(),
  /** What it waits for until somebody agrees. */
  pending: z.array(pendingApproval).optional(),
  notice: z.string().optional(),
});

export type ExecResult = z.output<typeof execResult>;

export interface ExecPresentation {
  readonly vmId: string;
  readonly exec: Exec;
  /** Of a command on a terminal: shown instead of its output, which is made for terminals. */
  readonly screen?: ScreenView | undefined;
  /** Of the connection that gets the answer. */
  readonly cursors: OutputCursors;
  readonly maxOutputBytes: number;
  /** Where the next command starts, if the client does not know. */
  readonly cwd?: string | undefined;
  /** What else the client should know. */
  readonly notice?: string | undefined;
  readonly pending?: readonly PendingApproval[];
}

/**
 * The command as it is now, with the output that no answer to this connection has shown yet. Must not
 * be called for a command whose VM is lost.
 */
export async function presentExec(presentation: ExecPresentation): Promise<CallToolResult> {
  const result = await describeExec(presentation);
  const { vmId, exec } = presentation;
  const content: CallToolResult["content"] = [{ type: "text", text: textOf(result) }];
  if (result.log_uri !== undefined) {
    content.push({
      type: "resource_link",
      uri: result.log_uri,
      name: `output of command ${exec.id} in ${vmId}`,
      mimeType: result.binary === true ? "application/octet-stream" : "text/plain",
    });
  }
  return { structuredContent: result, content };
}

async function describeExec(presentation: ExecPresentation): Promise<ExecResult> {
  const { vmId, exec, cursors, maxOutputBytes, cwd, notice, pending = [] } = presentation;
  const { screen } = presentation;
  // No await until both spans are taken: another answer to the connection must not show them as well.
  const { state, exitCode, signal } = exec.status();
  const isRunning = state === "running";
  const spans = [
    cursors.takeNew(exec.stdout, isRunning),
    cursors.takeNew(exec.stderr, isRunning),
  ] as const;
  const limits = share(maxOutputBytes, spans[0], spans[1]);
  const show = (log: OutputLog, stream: LogStream, index: 0 | 1): ReturnType<typeof excerpt> =>
    excerpt(log, spans[index], limits[index], (omitted) => {
      const uri = logUri({ vmId, execId: exec.id, stream });
      const what =
        log.failure === undefined ? "whole log" : `log of the first ${log.keptBytes} bytes`;
      return `[… ${omitted} bytes omitted; ${what}: ${uri} …]`;
    });
  const stdout = await show(exec.stdout, "stdout", 0);
  const stderr = await show(exec.stderr, "stderr", 1);
  const notices = [
    ...(notice === undefined ? [] : [notice]),
    ...exec.notices,
    ...(["stdout", "stderr"] as const).flatMap((name) => logNotice(exec[name], name)),
  ];
  const truncated = screen === undefined && stdout.omittedBytes + stderr.omittedBytes > 0;
  const binary = screen === undefined && (stdout.isBinary || stderr.isBinary);
  // What has left the screen is in the log.
  const isLogged = truncated || binary || (screen !== undefined && !isRunning);
  const isStderrOnly = stdout.omittedBytes === 0 && !stdout.isBinary;
  const stream = (truncated || binary) && isStderrOnly ? "stderr" : "stdout";
  return {
    status: statusOf(state),
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    ...(signal === undefined ? {} : { signal }),
    stdout: screen === undefined ? stdout.text : "",
    stderr: stderr.text,
    ...(screen === undefined
      ? {}
      : { screen: screen.text, cursor: { row: screen.row, column: screen.column } }),
    exec_id: exec.id,
    ...(cwd === undefined ? {} : { cwd }),
    truncated,
    ...(isLogged ? { log_uri: logUri({ vmId, execId: exec.id, stream }) } : {}),
    ...(binary ? { binary } : {}),
    ...(pending.length === 0 ? {} : { pending: presentPending(pending) }),
    ...(notices.length === 0 ? {} : { notice: notices.join(" ") }),
  };
}

/** What to know of a log that is not whole: the command has gone on without it. */
function logNotice({ failure, keptBytes, totalBytes }: OutputLog, stream: LogStream): string[] {
  if (failure === undefined || keptBytes === totalBytes) return [];
  return [`Of ${stream}, only the first ${keptBytes} bytes and the end are kept: ${failure}.`];
}

/** Half of the limit for each of two streams; what one does not need, the other gets. */
function share(limitBytes: number, one: Span, other: Span): readonly [number, number] {
  const half = Math.floor(limitBytes / 2);
  const [oneBytes, otherBytes] = [one.end - one.start, other.end - other.start];
  if (otherBytes <= half) return [limitBytes - otherBytes, otherBytes];
  if (oneBytes <= half) return [oneBytes, limitBytes - oneBytes];
  return [limitBytes - half, half];
}

function statusOf(state: ExecState): ExecResult["status"] {
  if (state === "lost") throw new Error("A command whose VM is lost has no result.");
  return state;
}

/** For clients that show text: output as it is, and what else there is to know in brackets. */
function textOf(result: ExecResult): string {
  const { stdout, stderr, screen, cursor, cwd, notice, pending = [] } = result;
  const parts = [
    notice === undefined ? "" : `[${notice}]`,
    screen ?? stdout,
    cursor === undefined ? "" : `[cursor in row ${cursor.row}, column ${cursor.column}]`,
    stderr === "" ? "" : `[stderr]\n${stderr}`,
    pendingText(pending),
    cwd === undefined ? "" : `[now in ${cwd}]`,
    endOf(result),
  ];
  return parts
    .filter((part) => part !== "")
    .map((part, index, all) =>
      index < all.length - 1 && !part.endsWith("\n") ? `${part}\n` : part,
    )
    .join("");
}

function endOf({ status, exit_code, signal, exec_id, stdout, stderr }: ExecResult): string {
  switch (status) {
    case "running":
      return `[running; continue with vm_exec_io, exec_id ${exec_id}]`;
    case "timed_out":
      return "[ended by its timeout]";
    case "killed":
      return `[killed by ${signal ?? "a signal"}]`;
    case "exited":
      return exit_code === 0 && `${stdout}${stderr}` !== "" ? "" : `[exit code ${exit_code}]`;
  }
}

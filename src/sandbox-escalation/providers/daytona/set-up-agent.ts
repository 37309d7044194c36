// Puts our agent into a sandbox by the toolbox's one way to run a line of shell. What answers there is as hostile
// as the rest of the sandbox: it is read as words of a known form.
import { readFile } from "node:fs/promises";
import type { ProcessApi } from "@daytona/toolbox-api-client";
import { z } from "zod";
import { findAgentBinary } from "../../agent/agent-binary.ts";
import { SandboxError } from "../../provider.ts";
import type { DaytonaClient } from "./daytona-client.ts";

export interface AgentPlace {
  readonly agentPath: string;
  readonly workspace: string;
  /** What the image gives processes. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface Toolbox {
  readonly client: DaytonaClient;
  readonly processes: ProcessApi;
  readonly signal?: AbortSignal | undefined;
}

/** SandboxError "failed" or "unsupported". */
export async function setUpAgent(toolbox: Toolbox): Promise<AgentPlace> {
  const { architecture, home, path, user } = await askMachine(toolbox);
  const workspace = `${home === "/" ? "" : home}/workspace`;
  const agentPath = `${home === "/" ? "" : home}/.agentos-agent`;
  const agent = await readFile(findAgentBinary(architecture), "base64");
  const { words, noise } = await runLine(
    toolbox,
    `mkdir -p ${workspace} && cd ${workspace} && rm -rf ${agentPath} && ` +
      `printf %s ${agent} | base64 -d > ${agentPath} && chmod 700 ${agentPath} && ${sayLine('"$PWD"')}`,
  );
  if (words[0] !== workspace)
    throw new SandboxError("failed", `The sandbox cannot be set up in ${workspace}: ${noise}`);
  const environment = {
    PATH: path,
    HOME: home,
    USER: user,
    LOGNAME: user,
    SHELL: "/bin/sh",
    LANG: "C.UTF-8",
  };
  return { agentPath, workspace, environment };
}

async function askMachine(toolbox: Toolbox) {
  const line = sayLine('"$(uname -m)" "$HOME" "$PATH" "$(id -un)"');
  const [machine, home, path, user] = (await runLine(toolbox, line)).words;
  const architecture = architectures.get(machine ?? "");
  if (architecture === undefined)
    throw new SandboxError("unsupported", "The sandbox is no x64 or arm64 Linux.");
  const told = facts.safeParse({ home, path, user });
  if (!told.success)
    throw new SandboxError("failed", "The sandbox does not say where its home is.");
  return { architecture, ...told.data };
}

interface LineAnswer {
  /** What the line said with our mark. */
  readonly words: readonly string[];
  /** The beginning of what else was said. */
  readonly noise: string;
}

async function runLine({ client, processes, signal }: Toolbox, line: string): Promise<LineAnswer> {
  const request = { command: line, timeout: LINE_LIMIT_SECONDS };
  const answer = await client.ask((options) => processes.executeCommand(request, options), {
    signal,
  });
  const parsed = answerOf.safeParse(answer);
  if (!parsed.success) throw new SandboxError("failed", "Daytona's toolbox answers nonsense.");
  const lines = parsed.data.result.slice(0, ANSWER_LIMIT).split("\n");
  const isOurs = (said: string) => said.startsWith(MARK);
  const noise = lines.filter((said) => !isOurs(said)).join(" ");
  return {
    words: lines.filter(isOurs).map((said) => said.slice(MARK.length)),
    noise: noise.replace(/[^\x20-\x7e]+/g, " ").slice(0, NOISE_LIMIT),
  };
}

/** Says each word on a line of its own, so that a greeting of the shell's is no answer. */
function sayLine(words: string): string {
  return `printf '${MARK}%s\\n' ${words}`;
}

const MARK = "agentos:";
const architectures = new Map<string, "x64" | "arm64">([
  ["x86_64", "x64"],
  ["aarch64", "arm64"],
]);

const answerOf = z.object({ result: z.string() });

/** They become part of lines of shell: nothing that needs quotes. */
const facts = z.object({
  home: z.string().regex(/^\/[A-Za-z0-9._/-]{0,200}$/),
  path: z.string().min(1).max(4096),
  user: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
});

const LINE_LIMIT_SECONDS = 30;
const ANSWER_LIMIT = 65_536;
const NOISE_LIMIT = 200;

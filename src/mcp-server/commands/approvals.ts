// `agentos-mcp approvals`: what waits for a person's agreement, and their answers. Runs on Node 20.
import { userInfo } from "node:os";
import type { PendingApproval } from "../../vm/index.ts";
import type { CommandContext } from "../command-list.ts";
import { ControlError } from "../control/running-call.ts";
import { UsageError } from "../settings.ts";
import { ApprovalServers, type RememberedEntry } from "./approvals-servers.ts";
import { listText, pendingText, rememberedText, watchLine } from "./approvals-text.ts";

const verbs = ["allow", "deny", "show", "watch", "remembered", "revoke"] as const;
type Verb = (typeof verbs)[number];

const usage = [
  "Use agentos-mcp approvals [--json], approvals show ID, approvals allow ID... [--vm | --always],",
  "approvals deny ID... [--vm | --always], approvals watch, approvals remembered, approvals revoke SUBJECT.",
].join(" ");

/** Resolves to 0, and to 1 when an approval to answer is not open. */
export async function approvals(context: CommandContext): Promise<number> {
  const [verb, ...words] = context.words;
  const scopes = ["once", "vm", "always"].filter((scope) => context.switches.has(scope));
  const isAnswer = verb === "allow" || verb === "deny";
  if (verb !== undefined && !isVerb(verb)) throw new UsageError(usage);
  if (scopes.length > (isAnswer ? 1 : 0)) throw new UsageError(usage);
  const needsWord = isAnswer || verb === "show" || verb === "revoke";
  if (needsWord !== words.length > 0) throw new UsageError(usage);
  const startsServer = verb === "watch" || verb === "remembered" || verb === "revoke";
  const servers = await ApprovalServers.connect(context, startsServer);
  try {
    if (isAnswer)
      return await decide(context, servers, { answer: verb, ids: words, scope: scopes[0] });
    return await look(context, servers, verb, words);
  } finally {
    await servers.close();
  }
}

function isVerb(word: string): word is Verb {
  return verbs.some((verb) => verb === word);
}

async function look(
  context: CommandContext,
  servers: ApprovalServers,
  verb: Exclude<Verb, "allow" | "deny"> | undefined,
  words: readonly string[],
): Promise<number> {
  const isJson = context.switches.has("json");
  const print = (value: unknown, text: string): void => {
    process.stdout.write(isJson ? `${JSON.stringify(value, null, 2)}\n` : text);
  };
  switch (verb) {
    case undefined: {
      const all = await servers.pending();
      print(all, listText(all, Date.now()));
      return 0;
    }
    case "show":
      return await show(context, servers, words, print);
    case "watch":
      await servers.watch((event) => {
        process.stdout.write(isJson ? `${JSON.stringify(event)}\n` : watchLine(event));
      });
      return 0;
    case "remembered": {
      const all = await servers.remembered();
      print(all, rememberedText(all));
      return 0;
    }
    case "revoke":
      return await revoke(context, servers, words);
  }
}

interface Answer {
  readonly answer: "allow" | "deny";
  readonly ids: readonly string[];
  readonly scope: string | undefined;
}

async function decide(
  { say }: CommandContext,
  servers: ApprovalServers,
  { answer, ids, scope = "once" }: Answer,
): Promise<number> {
  const by = `agentos-mcp approvals (${userInfo().username})`;
  const done = answer === "allow" ? "Allowed" : "Denied";
  let status = 0;
  for (const id of ids) {
    try {
      const summary = await servers.decide({ id, answer, scope, by });
      process.stdout.write(`${done} ${reaches[scope] ?? ""}: ${summary}\n`);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      say(error.message);
      status = 1;
    }
  }
  return status;
}

const reaches: Readonly<Record<string, string>> = {
  once: "once",
  vm: "in this VM",
  always: "always",
};

async function show(
  { say }: CommandContext,
  servers: ApprovalServers,
  ids: readonly string[],
  print: (value: unknown, text: string) => void,
): Promise<number> {
  const all = await servers.pending();
  const found = ids.map((id) => all.find((pending) => pending.id === id));
  const known = found.filter((pending): pending is PendingApproval => pending !== undefined);
  if (known.length > 0) print(known, known.map((pending) => pendingText(pending)).join("\n"));
  for (const [at, id] of ids.entries()) {
    if (found[at] === undefined) say(`Nothing waits for approval as "${id}".`);
  }
  return known.length === ids.length ? 0 : 1;
}

/** By the subject as `remembered` shows it; where several kinds have it, all are meant. */
async function revoke(
  { say }: CommandContext,
  servers: ApprovalServers,
  words: readonly string[],
): Promise<number> {
  const subject = words.join(" ");
  const all = await servers.remembered();
  const meant = all.filter((entry: RememberedEntry) => entry.subject === subject);
  for (const entry of meant) {
    await servers.revoke(entry);
    process.stdout.write(`Forgot: ${entry.answer} ${entry.kind} ${entry.subject}\n`);
  }
  if (meant.length > 0) return 0;
  say(`Nothing is remembered for "${subject}". agentos-mcp approvals remembered lists what is.`);
  return 1;
}

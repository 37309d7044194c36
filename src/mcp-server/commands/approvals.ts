// `agentos-mcp approvals`: what waits for a person's agreement, and their answers. Runs on Node 20.
import { userInfo } from "node:os";
import { visibleText } from "../../toolkit-cli/visible-text.ts";
import type { ApprovalScope, PendingApproval } from "../../vm/index.ts";
import type { CommandContext } from "../command-list.ts";
import { ControlError } from "../control/running-call.ts";
import { UsageError } from "../settings.ts";
import { ApprovalServers, type RememberedEntry } from "./approvals-servers.ts";
import {
  listText,
  pendingText,
  questionText,
  rememberedText,
  watchLine,
} from "./approvals-text.ts";
import { askPerson, NoPersonError } from "./person/ask-person.ts";

const verbs = ["allow", "deny", "show", "watch", "remembered", "revoke"] as const;
type Verb = (typeof verbs)[number];
const allScopes = ["once", "vm", "always"] as const;

const usage = [
  "Use agentos-mcp approvals [--json], approvals show ID... [--full], approvals allow ID... [--vm | --always],",
  "approvals deny ID... [--vm | --always], approvals watch, approvals remembered, approvals revoke SUBJECT.",
].join(" ");

/** Resolves to 0, and to 1 when an approval to answer is not open. */
export async function approvals(context: CommandContext): Promise<number> {
  const [verb, ...words] = context.words;
  const scopes = allScopes.filter((each) => context.switches.has(each));
  const [scope = "once"] = scopes;
  const isAnswer = verb === "allow" || verb === "deny";
  if (verb !== undefined && !isVerb(verb)) throw new UsageError(usage);
  if (scopes.length > (isAnswer ? 1 : 0)) throw new UsageError(usage);
  if (context.switches.has("full") && verb !== "show") throw new UsageError(usage);
  const needsWord = isAnswer || verb === "show" || verb === "revoke";
  if (needsWord !== words.length > 0) throw new UsageError(usage);
  const startsServer = verb === "watch" || verb === "remembered" || verb === "revoke";
  const servers = await ApprovalServers.connect(context, startsServer);
  try {
    if (isAnswer) return await decide(context, servers, { answer: verb, ids: words, scope });
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
  readonly scope: ApprovalScope;
}

async function decide(
  { say }: CommandContext,
  servers: ApprovalServers,
  { answer, ids, scope }: Answer,
): Promise<number> {
  const by = `agentos-mcp approvals (${userInfo().username})`;
  const done = answer === "allow" ? "Allowed" : "Denied";
  let status = 0;
  for (const id of ids) {
    try {
      const shown = answer === "allow" ? await showAndAsk(servers, id, scope) : {};
      if (shown === undefined) {
        say(`${id} is left open.`);
        status = 1;
        continue;
      }
      const summary = await servers.decide({ id, answer, scope, by, ...shown });
      process.stdout.write(`${done} ${reaches[scope]}: ${summary}\n`);
    } catch (error) {
      if (!(error instanceof ControlError || error instanceof NoPersonError)) throw error;
      say(error.message);
      status = 1;
    }
  }
  return status;
}

/** Lets the person at the terminal read all of it. What they have agreed to; undefined where they have not. */
async function showAndAsk(
  servers: ApprovalServers,
  id: string,
  scope: ApprovalScope,
): Promise<{ readonly inputSha256?: string } | undefined> {
  const pending = (await servers.pending()).find((each) => each.id === id);
  // Asking for the input says why it is not there.
  const input = await servers.inputOf(id);
  if (pending === undefined) throw new ControlError("APPROVAL_NOT_FOUND", `${id} is not open.`);
  const { inputSha256 } = pending;
  const hasAgreed = await askPerson({
    lines: questionText(pending, inputSha256 === undefined ? undefined : input, scope),
    deed: `allow it ${reaches[scope]}`,
    shims: await servers.shims(),
  });
  if (!hasAgreed) return undefined;
  return inputSha256 === undefined ? {} : { inputSha256 };
}

const reaches: Readonly<Record<ApprovalScope, string>> = {
  once: "once",
  vm: "in this VM",
  always: "always",
};

async function show(
  { say, switches }: CommandContext,
  servers: ApprovalServers,
  ids: readonly string[],
  print: (value: unknown, text: string) => void,
): Promise<number> {
  const all = await servers.pending();
  const found = ids.map((id) => all.find((pending) => pending.id === id));
  const known = found.filter((pending): pending is PendingApproval => pending !== undefined);
  const shown = switches.has("full")
    ? await Promise.all(known.map((pending) => withWholeInput(servers, pending)))
    : known;
  if (shown.length > 0) print(shown, shown.map((pending) => pendingText(pending)).join("\n"));
  for (const [at, id] of ids.entries()) {
    if (found[at] === undefined) say(`Nothing waits for approval as "${id}".`);
  }
  return known.length === ids.length ? 0 : 1;
}

async function withWholeInput(
  servers: ApprovalServers,
  pending: PendingApproval,
): Promise<PendingApproval> {
  if (pending.input === undefined) return pending;
  return { ...pending, input: await servers.inputOf(pending.id), isInputWhole: true };
}

/** By the subject as `remembered` shows it; where several kinds have it, all are meant. */
async function revoke(
  { say }: CommandContext,
  servers: ApprovalServers,
  words: readonly string[],
): Promise<number> {
  const subject = words.join(" ");
  const all = await servers.remembered();
  const meant = all.filter((entry: RememberedEntry) =>
    [entry.subject, visibleText(entry.subject)].includes(subject),
  );
  for (const entry of meant) {
    await servers.revoke(entry);
    process.stdout.write(`Forgot: ${entry.answer} ${entry.kind} ${visibleText(entry.subject)}\n`);
  }
  if (meant.length > 0) return 0;
  say(`Nothing is remembered for "${subject}". agentos-mcp approvals remembered lists what is.`);
  return 1;
}

// The question that a person sees in their MCP client, and what their answer means. What a form does not show it cannot
// allow: a long input is shown in parts, and the last part alone has the answers that allow.
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { ApprovalAnswer, PendingApproval } from "../../vm/index.ts";
import { inputLine, questionLines, reachOf } from "./question-text.ts";

const answers = new Map<string, ApprovalAnswer>([
  ["allow once", { answer: "allow", scope: "once" }],
  ["allow in this VM", { answer: "allow", scope: "vm" }],
  ["always allow", { answer: "allow", scope: "always" }],
  ["deny", { answer: "deny", scope: "once" }],
]);

/** As much as somebody reads in a form. */
const PART_CHARACTERS = 12_000;
/** Clients ask no more often for one call; longer inputs are for a terminal. */
const PARTS_LIMIT = 7;

/** An approval, all of its input, and the part of it that is shown next, from 0. */
export interface AskedForm {
  readonly pending: PendingApproval;
  readonly input: string | undefined;
  readonly part: number;
}

/** What somebody has chosen in a form. */
export type Choice = ApprovalAnswer | "next part";

export function approvalForm(asked: AskedForm): ElicitRequestFormParams {
  const { pending } = asked;
  const words = choicesOf(asked);
  return {
    message: [...questionLines(pending), ...inputLines(asked)].join("\n"),
    requestedSchema: {
      type: "object",
      properties: {
        decision: {
          type: "string",
          title: "Decision",
          description: describeChoices(pending, words),
          enum: words,
        },
      },
      required: ["decision"],
    },
  };
}

/** Undefined for what is no answer, or none that the form has. */
export function choiceIn(
  asked: AskedForm,
  action: "accept" | "decline" | "cancel",
  decision: unknown,
): Choice | undefined {
  if (action === "decline") return { answer: "deny", scope: "once" };
  if (action === "cancel" || typeof decision !== "string") return undefined;
  if (!choicesOf(asked).includes(decision)) return undefined;
  const answer = answers.get(decision);
  if (answer === undefined) return "next part";
  const { inputSha256 } = asked.pending;
  return inputSha256 === undefined ? answer : { ...answer, inputSha256 };
}

function choicesOf({ pending, input = "", part }: AskedForm): string[] {
  const parts = partsOf(input);
  if (parts > PARTS_LIMIT) return ["deny"];
  if (part < parts - 1) return [`show part ${part + 2} of ${parts}`, "deny"];
  return [...answers.keys()].filter((word) => pending.vm !== "" || word !== "allow in this VM");
}

function inputLines(asked: AskedForm): string[] {
  const { pending, input, part } = asked;
  if (input === undefined) return [];
  const parts = partsOf(input);
  const lines = [inputLine(pending), cut(input, part)];
  if (parts === 1) return lines;
  if (parts <= PARTS_LIMIT) return [...lines, `[part ${part + 1} of ${parts}]`];
  return [
    ...lines,
    `[part 1 of ${parts}: too long for a form. To read all of it and answer: agentos-mcp approvals allow ${pending.id}]`,
  ];
}

function describeChoices(pending: PendingApproval, words: readonly string[]): string {
  return words
    .flatMap((word) => {
      const answer = answers.get(word);
      return answer?.answer === "allow" ? [`${word}: ${reachOf(pending, answer.scope)}`] : [];
    })
    .join(". ");
}

function partsOf(input: string): number {
  return Math.max(1, Math.ceil(input.length / PART_CHARACTERS));
}

/** No character is cut in two: the second half goes with the part before. */
function cut(input: string, part: number): string {
  const edge = (at: number): number => (/[\udc00-\udfff]/.test(input.charAt(at)) ? at + 1 : at);
  return input.slice(edge(part * PART_CHARACTERS), edge((part + 1) * PART_CHARACTERS));
}

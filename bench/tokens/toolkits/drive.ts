// Documents: the transcript of a long meeting, and two short ones.
import { z } from "zod";
import { ToolError, type Toolkit, tool, toolkit } from "../../../src/toolkit-cli/index.ts";
import type { RecordCall } from "./call-record.ts";
import { SeededRandom } from "./seeded-random.ts";

export const TRANSCRIPT_ID = "doc-7f31";
const TRANSCRIPT_WORDS = 6500;

const summary = z.object({ id: z.string(), title: z.string(), modified_at: z.string() });

export function drive(record: RecordCall): Toolkit {
  const documents = [
    { id: TRANSCRIPT_ID, title: "Sales call with Northwind (transcript)", text: makeTranscript() },
    {
      id: "doc-1a02",
      title: "Agenda of the sales call",
      text: "1. Needs\n2. Price\n3. Next step\n",
    },
    { id: "doc-9c55", title: "Holiday plan", text: "Office closed from 24 December.\n" },
  ].map((document) => ({ ...document, modified_at: "2026-11-09T16:20:00.000Z" }));
  return toolkit("drive", {
    description: "Documents and files of the company",
    tools: {
      listDocuments: tool({
        description: "List documents, optionally those whose title contains a text.",
        readOnly: true,
        input: z.object({ title_contains: z.string().optional().describe("Part of the title") }),
        output: z.object({ documents: z.array(summary) }),
        handler({ title_contains = "" }) {
          record({ toolkit: "drive", tool: "list-documents" });
          const found = documents.filter(({ title }) => title.includes(title_contains));
          return {
            documents: found.map(({ id, title, modified_at }) => ({ id, title, modified_at })),
          };
        },
      }),
      getDocument: tool({
        description: "Get a document's whole text.",
        readOnly: true,
        input: z.object({ document_id: z.string().describe("The document's id") }),
        output: summary.extend({ text: z.string() }),
        handler({ document_id }) {
          record({ toolkit: "drive", tool: "get-document" });
          const found = documents.find(({ id }) => id === document_id);
          if (found === undefined) throw new ToolError("failed", `No document ${document_id}.`);
          return found;
        },
      }),
    },
  });
}

const OPENINGS = ["So", "Right", "Well", "As I said", "From our side", "Honestly"] as const;
const CLAIMS = [
  "the migration has to be finished before the audit in March",
  "the team wants reports that leave the building only when we say so",
  "nobody enjoys copying numbers from one system into the other by hand",
  "we pay for two hundred seats and use about half of them",
  "the first pilot took nine weeks and I would like the second one to take three",
  "support answered within the hour, which was better than what we had before",
] as const;
const TURNS = [
  "Could you say more about how that works today?",
  "Let me write that down for the proposal.",
  "That is close to what other customers of your size tell us.",
  "I would rather come back to the price at the end.",
] as const;

/** Two people who talk until the words are used up. */
export function makeTranscript(): string {
  const random = new SeededRandom(6500);
  const lines: string[] = [];
  let words = 0;
  for (let minute = 0; words < TRANSCRIPT_WORDS; minute++) {
    const speaker = minute % 2 === 0 ? "Ines" : "Mr. Halloran";
    const said = `${random.pick(OPENINGS)}, ${random.pick(CLAIMS)}, and ${random.pick(CLAIMS)}. ${random.pick(TURNS)}`;
    const line = `[${String(Math.floor(minute / 2)).padStart(3, "0")}] ${speaker}: ${said}`;
    words += line.split(" ").length;
    lines.push(line);
  }
  return `${lines.join("\n")}\n`;
}

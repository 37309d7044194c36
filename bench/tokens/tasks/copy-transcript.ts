// T3: a long text from one system to another. Called directly, the model reads it and writes it again.
import { LEAD_ID } from "../toolkits/crm.ts";
import { makeTranscript, TRANSCRIPT_ID } from "../toolkits/drive.ts";
import type { Task } from "./task.ts";

const ANSWER = `The transcript is in the notes of ${LEAD_ID}.`;

export function copyTranscript(): Task {
  return {
    key: "T3",
    title: "copy a 6,500-word transcript",
    isBatch: true,
    prompt: `Put the transcript ${TRANSCRIPT_ID} from the drive, word for word, into the notes of the CRM record ${LEAD_ID}.`,
    answer: ANSWER,
    needs: ["drive get-document", "crm update-record"],
    queries: ["get the text of a document", "update record fields"],
    async direct(turn) {
      const [document] = await turn([
        { tool: "drive get-document", input: { document_id: TRANSCRIPT_ID } },
      ]);
      const { text: notes } = document as { text: string };
      await turn([{ tool: "crm update-record", input: { record_id: LEAD_ID, fields: { notes } } }]);
      return ANSWER;
    },
    command: `agentos-drive get-document --document-id ${TRANSCRIPT_ID} | jq -j .text | agentos-crm update-record --record-id ${LEAD_ID} --fields.notes -`,
    code: `const { text } = await tools.drive.getDocument({ document_id: "${TRANSCRIPT_ID}" });
return await tools.crm.updateRecord({ record_id: "${LEAD_ID}", fields: { notes: text } });`,
    shows: [LEAD_ID],
    writes: [{ record_id: LEAD_ID, notes: makeTranscript() }],
  };
}

// Records of customers: leads whose fields can be read and changed.
import { z } from "zod";
import { ToolError, type Toolkit, tool, toolkit } from "../../../src/toolkit-cli/index.ts";
import type { RecordCall } from "./call-record.ts";

export const LEAD_ID = "lead-0042";

interface Lead {
  readonly id: string;
  readonly company: string;
  readonly stage: string;
  readonly notes: string;
}

const fields = z.object({
  company: z.string().optional().describe("Company name"),
  stage: z.enum(["new", "contacted", "qualified", "won", "lost"]).optional().describe("Stage"),
  notes: z.string().optional().describe("Free text, such as notes of a meeting"),
});

export function crm(record: RecordCall): Toolkit {
  const leads = new Map<string, Lead>(
    ["Fabrikam", "Northwind", "Contoso"].map((company, at) => {
      const id = `lead-00${41 + at}`;
      return [id, { id, company, stage: "contacted", notes: "" }];
    }),
  );
  const find = (id: string): Lead => {
    const lead = leads.get(id);
    if (lead === undefined) throw new ToolError("failed", `There is no record ${id}.`);
    return lead;
  };
  const recordId = z.string().describe("The record's id");
  return toolkit("crm", {
    description: "Leads and customers",
    tools: {
      getRecord: tool({
        description: "Get a record with all its fields.",
        readOnly: true,
        input: z.object({ record_id: recordId }),
        output: fields.extend({ id: z.string() }),
        handler({ record_id }) {
          record({ toolkit: "crm", tool: "get-record" });
          return find(record_id);
        },
      }),
      updateRecord: tool({
        description: "Change fields of a record; fields that are not given stay as they are.",
        input: z.object({ record_id: recordId, fields: fields.describe("New values") }),
        output: z.object({ id: z.string(), updated: z.array(z.string()) }),
        handler({ record_id, fields: changes }) {
          const before = find(record_id);
          const { company = before.company, stage = before.stage, notes = before.notes } = changes;
          leads.set(record_id, { id: record_id, company, stage, notes });
          record({ toolkit: "crm", tool: "update-record", written: { record_id, ...changes } });
          return { id: record_id, updated: Object.keys(changes) };
        },
      }),
    },
  });
}

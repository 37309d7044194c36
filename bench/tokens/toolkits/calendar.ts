// Calendars: events that can be made, listed and deleted.
import { z } from "zod";
import { ToolError, type Toolkit, tool, toolkit } from "../../../src/toolkit-cli/index.ts";
import type { RecordCall } from "./call-record.ts";

const event = z.object({
  id: z.string(),
  calendar_id: z.string(),
  title: z.string(),
  start: z.string(),
  end: z.string(),
  attendees: z.array(z.string()),
  status: z.string(),
  link: z.string(),
});

export function calendar(record: RecordCall): Toolkit {
  const events = new Map<string, z.output<typeof event>>();
  let made = 0;
  const calendarId = z.string().describe("The calendar's id");
  return toolkit("calendar", {
    description: "Calendars of people and teams",
    tools: {
      createEvent: tool({
        description: "Create an event in a calendar and invite its attendees.",
        input: z.object({
          calendar_id: calendarId,
          title: z.string().describe("What the event is called"),
          start: z.string().describe("Start, RFC 3339"),
          end: z.string().describe("End, RFC 3339"),
          attendees: z.array(z.string()).default([]).describe("Addresses of who is invited"),
          location: z.string().optional().describe("Room or link"),
        }),
        output: event,
        handler({ calendar_id, title, start, end, attendees }) {
          made += 1;
          const id = `evt-${String(made).padStart(5, "0")}`;
          const link = `https://calendar.example/${calendar_id}/${id}`;
          const added = {
            id,
            calendar_id,
            title,
            start,
            end,
            attendees,
            status: "confirmed",
            link,
          };
          events.set(id, added);
          const written = { calendar_id, title, start, end };
          record({ toolkit: "calendar", tool: "create-event", written });
          return added;
        },
      }),
      listEvents: tool({
        description: "List the events of a calendar between two times.",
        readOnly: true,
        input: z.object({
          calendar_id: calendarId,
          from: z.string().optional().describe("Not before, RFC 3339"),
          to: z.string().optional().describe("Not after, RFC 3339"),
        }),
        output: z.object({ events: z.array(event) }),
        handler({ calendar_id, from = "", to = "9999" }) {
          record({ toolkit: "calendar", tool: "list-events" });
          const found = [...events.values()].filter(
            (each) => each.calendar_id === calendar_id && each.start >= from && each.start <= to,
          );
          return { events: found };
        },
      }),
      deleteEvent: tool({
        description: "Delete an event and tell its attendees.",
        input: z.object({ event_id: z.string().describe("The event's id") }),
        handler({ event_id }) {
          if (!events.delete(event_id)) throw new ToolError("failed", `No event ${event_id}.`);
          record({ toolkit: "calendar", tool: "delete-event", written: { event_id } });
        },
      }),
    },
  });
}

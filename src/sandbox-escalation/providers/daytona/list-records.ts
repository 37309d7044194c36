import type { SandboxApi } from "@daytona/api-client";
import { z } from "zod";
import { SandboxError } from "../../provider.ts";
import type { CallOptions, DaytonaClient } from "./daytona-client.ts";
import { toDaytona } from "./label-names.ts";
import { type DaytonaRecord, readRecord } from "./sandbox-state.ts";

/** Those that carry the labels. What was made a moment ago may be missing: Daytona's list is a search. */
export async function listRecords(
  client: DaytonaClient,
  labels: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<readonly DaytonaRecord[]> {
  const found: DaytonaRecord[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < PAGES; pages++) {
    const wish = { labels: JSON.stringify(toDaytona(labels)), cursor, limit: PAGE };
    const page = readPage(await listPage(client, wish, signal));
    found.push(...page.items.map((item) => readRecord(item)));
    cursor = page.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  return found.filter(({ state }) => state !== "destroyed" && state !== "destroying");
}

/** Whether the key is good: the shortest list there is. */
export async function askForOne(client: DaytonaClient, signal?: AbortSignal): Promise<void> {
  readPage(await listPage(client, { limit: 1 }, signal));
}

interface PageWish {
  readonly labels?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

function listPage(client: DaytonaClient, wish: PageWish, signal?: AbortSignal): Promise<unknown> {
  const { sandboxes } = client;
  return client.ask<unknown>(
    (options) => sandboxes.listSandboxes(...listParameters(wish, options)),
    { signal },
  );
}

type ListParameters = Parameters<SandboxApi["listSandboxes"]>;

/** The call's own filters lie between; its options are last. */
function listParameters(wish: PageWish, options: CallOptions): ListParameters {
  const { labels, cursor, limit } = wish;
  const parameters: ListParameters = [undefined, cursor, limit, undefined, undefined, labels];
  parameters[30] = options;
  return parameters;
}

const schema = z.object({ items: z.array(z.unknown()), nextCursor: z.string().nullish() });

function readPage(answer: unknown): z.infer<typeof schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new SandboxError("failed", "Daytona's answer is no list of sandboxes.");
}

/** The most that Daytona answers at once. */
const PAGE = 100;
const PAGES = 100;

/**
 * What a cell may ask of the server: one row for each method, by the lane it waits in. A row is all there is
 * to declare: the types of both sides, the check of what a cell sends and the way to the service that answers
 * all come from here. Bytes travel in the body of request and reply.
 *
 * A cell may have been taken over by its guest: parameters are checked. What the server answers is trusted.
 * The cell imports the types alone.
 */
import { z } from "zod";
import type { Stream } from "../../streams/index.ts";
import { COMMAND_CHARACTERS, COMMAND_NAME_CHARACTERS } from "./messages.ts";
import type { MountResult } from "./mount-requests.ts";
import { mountParams } from "./parse-mount-request.ts";
import { count, errno } from "./shapes.ts";

interface Method<P extends z.ZodType, R, O extends boolean = boolean> {
  readonly params: P;
  /** Whether the request opens the stream that its parameters name. */
  readonly opensStream: O;
  /** The type alone: nothing is here. */
  readonly result?: R;
}

/** A method with these parameters. Its answer says `R`, besides its bytes. */
function answers<R extends object>() {
  return <P extends z.ZodType>(params: P): Method<P, R, false> => ({ params, opensStream: false });
}

/**
 * A method that opens a stream. The stream is there as soon as the request has come, so that nothing the cell
 * says of it is too early. What the cell sends on it is asked for, piece by piece.
 */
function opensStream<P extends z.ZodType<{ readonly stream: number }>>(
  params: P,
): Method<P, Nothing, true> {
  return { params, opensStream: true };
}

type Nothing = Record<string, never>;

/** The fields of struct winsize are 16 bits wide. */
const side = count.max(0xffff);
const size = z.strictObject({ columns: side, rows: side });

/** What happens to a process of a host command. */
const news = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("signal"), signal: z.string().max(16) }),
  z.strictObject({ type: z.literal("size"), size }),
  /** A write failed: nothing more can be written there. */
  z.strictObject({ type: z.literal("failed"), to: z.enum(["out", "error"]), errno }),
]);

export const brokerMethods = {
  mount: {
    /** Bytes to write are the body of the request; bytes read, directories and changes, that of the reply. */
    call: answers<MountResult>()(mountParams),
  },
  toolkit: {
    /**
     * A request to toolkits begins, a line of device-protocol.ts of so many `bytes`: the body is the first of
     * them, the rest come by the stream. So do the events, lines of device-protocol.ts cut anywhere.
     */
    open: opensStream(
      z.strictObject({
        stream: count,
        bytes: count,
        /** What the guest calls it: the request's own id, which its events carry. */
        id: count,
        pid: count,
        command: z.string().max(COMMAND_CHARACTERS),
        /** Decisions that the kernel's audit log had seen by then; for order alone. */
        audited: count,
      }),
    ),
    /** The call ends soon, with the event that says so; it is read to its end as before. */
    cancel: answers<Nothing>()(z.strictObject({ stream: count })),
  },
  command: {
    /**
     * A process of a host command begins with so many `bytes`: texts that end with NUL, the working
     * directory, `words` arguments, then the environment. The body is the first of them, the rest come by
     * the stream. Then the stream carries input when the host asks for some, and output by commandTags.
     */
    start: opensStream(
      z.strictObject({
        stream: count,
        bytes: count,
        name: z.string().max(COMMAND_NAME_CHARACTERS),
        pid: count,
        words: count,
        terminal: size.optional(),
      }),
    ),
    /** What has happened to the process. One that is over already needs no telling. */
    tell: answers<Nothing>()(z.strictObject({ stream: count, news })),
  },
} as const;

type Table = typeof brokerMethods;

/** Requests wait for others of their lane alone: a tool may take hours, a read of a file must not. */
export type Lane = keyof Table;

/** A method's name on the wire: its lane, a dot, and its row. */
export type BrokerMethod = { [L in Lane]: `${L}.${keyof Table[L] & string}` }[Lane];

type RowOf<M extends BrokerMethod> = M extends `${infer L extends Lane}.${infer N}`
  ? N extends keyof Table[L]
    ? Table[L][N]
    : never
  : never;

export type BrokerParams<M extends BrokerMethod> =
  RowOf<M> extends Method<infer P, infer _> ? z.infer<P> : never;

export type BrokerResult<M extends BrokerMethod> =
  RowOf<M> extends Method<infer _, infer R> ? R : never;

/** What a request was answered with. */
export interface BrokerReply<M extends BrokerMethod> {
  readonly value: BrokerResult<M>;
  readonly body: Uint8Array;
  /** Called when the body is on its way, or is not wanted: who serves may use it again. */
  readonly sent?: () => void;
}

/**
 * Who serves each method. A service checks against the VM's policy and grants of its own; it refuses with a
 * KernelError, whose errno and reason the guest may see.
 */
export type BrokerServices = {
  readonly [L in Lane]: {
    readonly [N in keyof Table[L] & string]: (
      params: BrokerParams<`${L}.${N}` & BrokerMethod>,
      body: Uint8Array,
      ...stream: Table[L][N] extends { readonly opensStream: true } ? [Stream] : []
    ) => Promise<BrokerReply<`${L}.${N}` & BrokerMethod>>;
  };
};

export type WireSize = z.infer<typeof size>;
export type CommandNews = z.infer<typeof news>;

/** A request as it came, ready to be served. */
export interface BrokerCall {
  readonly lane: Lane;
  /** The stream that it opens; undefined where it opens none. */
  readonly stream: number | undefined;
  /** `stream` where it opens one. */
  readonly serve: (
    services: BrokerServices,
    body: Uint8Array,
    stream: Stream | undefined,
  ) => Promise<BrokerReply<BrokerMethod>>;
}

/** The request, or undefined when it is not one that a cell of ours would make. Only its shape is checked. */
export function parseRequest(method: string, value: unknown): BrokerCall | undefined {
  const [lane = "", name = "", ...rest] = method.split(".");
  if (rest.length > 0 || !isLane(lane)) return undefined;
  const row = findRow(lane, name);
  const parsed = row?.params.safeParse(value);
  if (row === undefined || parsed?.success !== true) return undefined;
  return {
    lane,
    stream: row.opensStream ? streamOf(parsed.data) : undefined,
    serve: (services, body, stream) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the row's schema has just taken the parameters
      const service = services[lane] as unknown as Readonly<Record<string, Serve>>;
      const serve = service[name];
      if (serve === undefined) throw new Error(`Nobody serves ${method}.`);
      return serve.call(service, parsed.data, body, stream);
    },
  };
}

type Serve = (
  params: unknown,
  body: Uint8Array,
  stream: Stream | undefined,
) => Promise<BrokerReply<BrokerMethod>>;

/** Of parameters that a row with `opensStream` has taken. */
function streamOf(params: unknown): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- opensStream takes only schemas that have a stream
  return (params as { readonly stream: number }).stream;
}

function isLane(lane: string): lane is Lane {
  return Object.hasOwn(brokerMethods, lane);
}

function findRow(lane: Lane, name: string): Method<z.ZodType, object> | undefined {
  const rows: Readonly<Record<string, Method<z.ZodType, object>>> = brokerMethods[lane];
  return Object.hasOwn(rows, name) ? rows[name] : undefined;
}

// One question to one name server, and its answer; over UDP, as RFC 1035 has it.
import {
  AF_INET,
  AF_INET6,
  isKernelError,
  KernelError,
  O_CLOEXEC,
  O_NONBLOCK,
  POLLIN,
  SOCK_DGRAM,
} from "../../../../kernel/index.ts";
import { bytes, int, text } from "../arguments.ts";
import type { Calls, Guest } from "../guest.ts";

type Sys = Guest["sys"];

const ANSWER_BYTES = 65_536;
const TIMEOUT_LIMIT_MS = 600_000;
/** The two bytes that tell answers apart. */
const ID_BYTES = 2;

export const dnsCalls: Calls = {
  /** Address, port, question, milliseconds: the answer's bytes. ETIMEDOUT, ECONNREFUSED. */
  async askNameServer({ sys, requests }, args) {
    const address = text(args, 0);
    const question = bytes(args, 2).slice();
    const family = address.includes(":") ? AF_INET6 : AF_INET;
    const until = performance.now() + Math.min(Math.max(1, int(args, 3)), TIMEOUT_LIMIT_MS);
    const fd = await sys.socket(family, SOCK_DGRAM | O_NONBLOCK | O_CLOEXEC);
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (!isOpen) return;
      isOpen = false;
      await sys.close(fd);
    };
    requests.signalOf(args)?.addEventListener("abort", () => void close());
    try {
      await sys.connect(fd, { family, address, port: int(args, 1) });
      await sys.sendto(fd, question);
      return await awaitAnswer(sys, fd, question, until);
    } finally {
      await close();
    }
  },
};

/** What does not answer the question is passed over. */
async function awaitAnswer(
  sys: Sys,
  fd: number,
  question: Uint8Array,
  until: number,
): Promise<Uint8Array> {
  const into = new Uint8Array(ANSWER_BYTES);
  for (;;) {
    const left = Math.max(0, Math.ceil(until - performance.now()));
    const [events = 0] = await sys.poll([{ fd, events: POLLIN }], left);
    if (events === 0) throw new KernelError("ETIMEDOUT");
    try {
      const { count } = await sys.recvfrom(fd, into);
      const isAnswer = count > ID_BYTES && into[0] === question[0] && into[1] === question[1];
      if (isAnswer) return into.slice(0, count);
    } catch (error) {
      if (!isKernelError(error, "EAGAIN")) throw error;
    }
  }
}

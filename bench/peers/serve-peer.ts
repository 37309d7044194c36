// The process of one peer: does what the benchmark asks, one call at a time, and times it.
import type { Peer, PeerAnswer, PeerCall, PeerRequest, PeerVm, VmWish } from "./peer-protocol.ts";

const LINE = `${"0123456789".repeat(8).slice(0, 73)}\n`;

/** Serves calls until the benchmark closes the channel. */
export function servePeer(peer: Peer): void {
  const vms = new Map<string, PeerVm>();
  let turn = Promise.resolve();
  process.on("message", (request: PeerRequest) => {
    turn = turn.then(async () => send(await answer(peer, vms, request)));
  });
  process.on("disconnect", () => process.exit(0));
}

function send(answer: PeerAnswer): void {
  process.send?.(answer);
}

async function answer(
  peer: Peer,
  vms: Map<string, PeerVm>,
  { id, call }: PeerRequest,
): Promise<PeerAnswer> {
  try {
    return { id, ms: await perform(peer, vms, call) };
  } catch (error) {
    return { id, problem: error instanceof Error ? error.message : String(error) };
  }
}

async function perform(peer: Peer, vms: Map<string, PeerVm>, call: PeerCall): Promise<number> {
  switch (call.kind) {
    case "createAndEcho":
      return timed(async () => {
        vms.set(call.vm, await createAndEcho(peer, call));
      });
    case "exec":
      return timed(async () => run(find(vms, call.vm), call.command, call.answer));
    case "execPrinted":
      return printed(call.command, find(vms, call.vm).exec(call.command));
    case "runPrinted": {
      const ran = find(vms, call.vm).run?.(call.code);
      if (ran === undefined) throw new Error("it runs no JavaScript");
      return printed("the code", ran);
    }
    case "write":
      return timed(async () => find(vms, call.vm).write(call.path, call.text));
    case "writeLines": {
      const text =
        call.text === "words"
          ? makeWords(call.bytes)
          : LINE.repeat(Math.floor(call.bytes / LINE.length));
      return timed(async () => find(vms, call.vm).write(call.path, text));
    }
    case "burst":
      return timed(async () => {
        const names = Array.from({ length: call.count }, (_, index) => `${call.vm}${index}`);
        await Promise.all(
          names.map(async (name) => vms.set(name, await createAndEcho(peer, { isAhead: true }))),
        );
      });
    case "destroy":
      return timed(async () => {
        await find(vms, call.vm).destroy();
        vms.delete(call.vm);
      });
    case "collect":
      return timed(async () => globalThis.gc?.());
    case "close":
      return timed(async () => peer.close());
  }
}

const vocabulary =
  "alpha beta gamma delta foo bar lorem ipsum dolor sit amet error warn info".split(" ");

/** The same text each time. */
function makeWords(bytes: number): string {
  let seed = 12_345;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  const lines: string[] = [];
  for (let size = 0; size < bytes; ) {
    const words = Array.from({ length: 13 }, () => vocabulary[random(vocabulary.length)]);
    const line = `${random(1_000_000)} ${words.join(" ")} ${random(1000)}\n`;
    lines.push(line);
    size += line.length;
  }
  return lines.join("");
}

async function createAndEcho(peer: Peer, wish: VmWish): Promise<PeerVm> {
  const vm = await peer.create(wish);
  await run(vm, "echo hi", "^hi\n$");
  return vm;
}

async function run(vm: PeerVm, command: string, answer: string): Promise<void> {
  const { stdout, exitCode } = await vm.exec(command);
  if (exitCode === 0 && new RegExp(answer).test(stdout)) return;
  throw new Error(`"${command}" ended with ${exitCode} and ${JSON.stringify(stdout.slice(0, 80))}`);
}

async function printed(command: string, ran: ReturnType<PeerVm["exec"]>): Promise<number> {
  const { stdout, exitCode } = await ran;
  const figure = Number(stdout.trim());
  if (exitCode === 0 && stdout.trim() !== "" && Number.isFinite(figure)) return figure;
  throw new Error(`"${command}" ended with ${exitCode} and ${JSON.stringify(stdout.slice(0, 80))}`);
}

function find(vms: ReadonlyMap<string, PeerVm>, name: string): PeerVm {
  const vm = vms.get(name);
  if (vm === undefined) throw new Error(`there is no VM "${name}"`);
  return vm;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

// The process of one peer: does what the benchmark asks, one call at a time, and times it.
import type { Peer, PeerAnswer, PeerCall, PeerRequest, PeerVm, VmSpec } from "./peer-protocol.ts";

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
    case "runPrinted":
      return printed("the code", able(find(vms, call.vm).run?.(call.code), call));
    case "output":
      return timed(async () => countOutput(find(vms, call.vm), call));
    case "input":
      return timed(async () => countInput(find(vms, call.vm), call));
    case "stat":
      return timed(async () => able(find(vms, call.vm).stat?.(call.path), call));
    case "read":
      return timed(async () => {
        for (let i = 0; i < call.times; i++) await readText(find(vms, call.vm), call);
      });
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
        await Promise.all(names.map(async (name) => vms.set(name, await createAndEcho(peer, {}))));
      });
    case "destroy":
      return timed(async () => {
        await find(vms, call.vm).destroy();
        vms.delete(call.vm);
      });
    case "destroyAll":
      return timed(async () => {
        await Promise.all([...vms.values()].map((vm) => vm.destroy()));
        vms.clear();
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

async function createAndEcho(peer: Peer, spec: VmSpec): Promise<PeerVm> {
  const vm = await peer.create(spec);
  await run(vm, "echo hi", "^hi\n$");
  return vm;
}

async function run(vm: PeerVm, command: string, answer: string): Promise<void> {
  const { stdout, exitCode } = await vm.exec(command);
  if (exitCode === 0 && new RegExp(answer).test(stdout)) return;
  throw new Error(`"${command}" ended with ${exitCode} and ${JSON.stringify(stdout.slice(0, 80))}`);
}

async function countOutput(vm: PeerVm, call: PeerCall & { kind: "output" }): Promise<void> {
  const { command, isOnTerminal = false } = call;
  const counted = isOnTerminal ? vm.terminalOutput?.(command) : vm.output?.(command);
  const bytes = await able(counted, call);
  if (bytes !== call.bytes) throw new Error(`${bytes} of ${call.bytes} bytes came`);
}

async function countInput(vm: PeerVm, call: PeerCall & { kind: "input" }): Promise<void> {
  const counted = await able(vm.input?.(call.command, call.bytes), call);
  if (Number(counted) !== call.bytes) throw new Error(`${counted} of ${call.bytes} bytes arrived`);
}

async function readText(vm: PeerVm, call: PeerCall & { kind: "read" }): Promise<void> {
  const text = await able(vm.read?.(call.path), call);
  if (text !== call.text) throw new Error(`${call.path} holds ${JSON.stringify(text)}`);
}

/** Throws where the peer cannot do what the call asks for. */
function able<T>(done: Promise<T> | undefined, { kind }: PeerCall): Promise<T> {
  if (done === undefined) throw new Error(`it has no "${kind}"`);
  return done;
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

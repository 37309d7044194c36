import type { Exec, Vm } from "../../src/vm/index.ts";
import type { Bomb } from "./bombs.ts";

/** A VM with a file and a process that must outlive every bomb in it. */
export interface Target {
  readonly vm: Vm;
  readonly bystander: Exec;
}

export async function prepareTarget(vm: Vm): Promise<Target> {
  await vm.exec("echo kept > /tmp/kept");
  return { vm, bystander: await vm.spawn("node -e 'setInterval(() => {}, 1000)'") };
}

/** Runs a bomb. Returns what went wrong, in words: nothing where only the bomb itself was harmed. */
export async function explode({ vm, bystander }: Target, bomb: Bomb): Promise<string[]> {
  const { stdout, stderr, notices } = await vm.exec(bomb.script);
  const wrong: string[] = [];
  if (stdout !== bomb.stdout) wrong.push(`stdout: ${JSON.stringify(stdout)}`);
  if (!bomb.stderr.test(stderr)) wrong.push(`stderr: ${JSON.stringify(stderr)}`);
  wrong.push(...findWrongNotices(bomb, notices));
  const { state, restarts } = vm.info();
  if (state !== "running" || restarts > 0) wrong.push(`the VM is ${state}, restarts ${restarts}`);
  const kept = await vm.exec("cat /tmp/kept");
  if (kept.stdout !== "kept\n") wrong.push(`the file: ${JSON.stringify(kept)}`);
  if (!bystander.isRunning) wrong.push("another process ended");
  return wrong;
}

const killNotice =
  /^Killed process \d+ \(.*\): the VM's memory of \d+ MB was used up, .* larger memoryMb\.$/s;
const moreNotice = /^Limits ended (\d+) more of its processes\.$/;

function findWrongNotices({ kills }: Bomb, notices: readonly string[]): string[] {
  const more = Number(moreNotice.exec(notices.at(-1) ?? "")?.[1] ?? 0);
  const named = more > 0 ? notices.slice(0, -1) : notices;
  const wrong = named.filter((notice) => !killNotice.test(notice));
  const told = named.length + more;
  if (kills !== undefined && told !== kills) wrong.push(`${told} kills, not ${kills}`);
  return wrong;
}

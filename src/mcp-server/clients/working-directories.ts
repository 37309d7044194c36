// Where the commands of a client start: in the directory in which its last one ended.
import type { Exec, Vm } from "../../vm/index.ts";

/** Where a client's first command starts. */
const home = "/home/user";
/** Clients whose directories are remembered in a VM after they have left. */
const rememberedClients = 100;

/** Where the clients of a server were last, for connections to come. Shared by all connections. */
export class LastDirectories {
  readonly #ofVms = new WeakMap<Vm, Map<string, string>>();

  find(vm: Vm, client: string): string | undefined {
    return this.#ofVms.get(vm)?.get(client);
  }

  note(vm: Vm, client: string, directory: string): void {
    const ofClients = this.#ofVms.get(vm) ?? new Map<string, string>();
    this.#ofVms.set(vm, ofClients);
    // The newest is last, the oldest makes room.
    ofClients.delete(client);
    ofClients.set(client, directory);
    const [oldest] = ofClients.keys();
    if (oldest !== undefined && ofClients.size > rememberedClients) ofClients.delete(oldest);
  }
}

/** Where the commands of one connection start, VM by VM. */
export class WorkingDirectories {
  readonly #last: LastDirectories;
  readonly #ofVms = new WeakMap<Vm, WorkingDirectory>();

  constructor(last: LastDirectories) {
    this.#last = last;
  }

  /** For a call of a client (see clientKey) in a VM. A VM that has lost its files has lost the directory. */
  in(vm: Vm, client: string): WorkingDirectory {
    const known = this.#ofVms.get(vm);
    if (known?.losses === vm.losses) return known;
    const start = known === undefined ? this.#last.find(vm, client) : undefined;
    const directory = new WorkingDirectory(vm.losses, start ?? home, (path) =>
      this.#last.note(vm, client, path),
    );
    this.#ofVms.set(vm, directory);
    return directory;
  }
}

/**
 * The directory of one connection in one VM. A command moves it when a call ends with it while no other call is under
 * way: what runs beside it has seen another directory.
 */
export class WorkingDirectory {
  /** Of the VM, when the directory was there. */
  readonly losses: number;
  readonly #moved: (path: string) => void;
  #current: string;
  #told = home;
  #visits = 0;
  #newest: StartedCommand | undefined;

  constructor(losses: number, start: string, moved: (path: string) => void) {
    this.losses = losses;
    this.#current = start;
    this.#moved = moved;
  }

  get current(): string {
    return this.#current;
  }

  /** A call is under way until its visit is over. */
  visit(): Visit {
    this.#visits += 1;
    return new Visit({
      started: (command) => {
        this.#newest = command;
      },
      newest: () => this.#newest,
      over: (command) => this.#leave(command),
    });
  }

  /** Where the next command starts that cannot start in the current directory any more. */
  goHome(): string {
    this.#move(home);
    return home;
  }

  /** The directory, if the client has not been told of it; told from now on. */
  takeNews(): string | undefined {
    if (this.#told === this.#current) return undefined;
    this.#told = this.#current;
    return this.#current;
  }

  #leave(command: StartedCommand | undefined): void {
    this.#visits -= 1;
    if (command === undefined || command.exec.isRunning || this.#visits > 0) return;
    this.#move(command.exec.status().cwd ?? command.start);
  }

  #move(path: string): void {
    if (path === this.#current) return;
    this.#current = path;
    this.#moved(path);
  }
}

interface StartedCommand {
  readonly exec: Exec;
  readonly start: string;
}

interface VisitParts {
  readonly started: (command: StartedCommand) => void;
  readonly newest: () => StartedCommand | undefined;
  readonly over: (command: StartedCommand | undefined) => void;
}

/** One call in a directory. */
export class Visit {
  readonly #parts: VisitParts;
  #command: StartedCommand | undefined;
  #isOver = false;

  constructor(parts: VisitParts) {
    this.#parts = parts;
  }

  /** The call has started a command there. */
  start(exec: Exec, start: string): void {
    this.#command = { exec, start };
    this.#parts.started(this.#command);
  }

  /** The call goes on with a command. One that others were started after does not move the directory. */
  resume(exec: Exec): void {
    const newest = this.#parts.newest();
    if (newest?.exec === exec) this.#command = newest;
  }

  /** The call is over. Again: nothing happens. */
  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#parts.over(this.#command);
  }

  [Symbol.dispose](): void {
    this.leave();
  }
}

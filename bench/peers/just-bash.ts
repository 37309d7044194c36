// just-bash: an interpreter inside its user's process, with neither processes nor isolation. Installed
// by install-peers.ts; its folder is the first argument.
import { importInstalled } from "./import-installed.ts";
import type { Peer } from "./peer-protocol.ts";
import { servePeer } from "./serve-peer.ts";

/** The part of its API that is used here. */
interface JustBash {
  readonly fs: { writeFile(path: string, content: string): Promise<void> };
  exec(command: string): Promise<{ readonly stdout: string; readonly exitCode: number }>;
}

interface JustBashModule {
  readonly Bash: new () => JustBash;
}

const { Bash } = (await importInstalled()) as JustBashModule;

const peer: Peer = {
  create: async () => {
    const bash = new Bash();
    return {
      exec: (command) => bash.exec(command),
      write: (path, text) => bash.fs.writeFile(path, text),
      destroy: async () => undefined,
    };
  },
  close: async () => undefined,
};
servePeer(peer);

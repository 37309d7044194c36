// Attacks through Node's own modules.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import { openLibc } from "../confinement/libc.ts";
import type { Attack } from "./attack.ts";

export const nodeAttacks: readonly Attack[] = [
  {
    name: "see-environment",
    route: "node",
    says: "reads the server's environment variables from its own",
    stoppedBy: ["empty-environment"],
    run: () => {
      const names = Object.keys(process.env);
      if (names.length === 0) throw new Error("the environment is empty");
      return names.join(" ");
    },
  },
  {
    name: "read-host-file",
    route: "node",
    says: "reads a file of the host",
    stoppedBy: ["permission-model", "landlock", "own-files"],
    run: ({ hostFile }) => `${readFileSync(hostFile).length} bytes`,
  },
  {
    name: "write-host-file",
    route: "node",
    says: "creates a file on the host",
    stoppedBy: ["permission-model", "landlock", "own-files", "seccomp"],
    run: ({ newFile }) => {
      writeFileSync(newFile, "written by a cell");
      return newFile;
    },
  },
  {
    name: "start-program",
    route: "node",
    says: "starts a program of the host",
    stoppedBy: ["permission-model", "landlock", "own-files", "seccomp"],
    run: async ({ program }) => {
      const child = spawn(program, { stdio: "ignore" });
      await once(child, "exit");
      return `pid ${child.pid}`;
    },
  },
  {
    name: "connect-tcp",
    route: "node",
    says: "connects to a server on the loopback interface",
    stoppedBy: ["permission-model", "landlock", "own-network", "seccomp"],
    run: ({ tcpPort }) => connected(connect(tcpPort, "127.0.0.1")),
  },
  {
    name: "connect-unix-socket",
    route: "node",
    says: "connects to a unix socket, such as docker's",
    stoppedBy: ["permission-model", "own-files", "seccomp"],
    run: ({ unixSocket }) => connected(connect(unixSocket)),
  },
  {
    name: "signal-server",
    route: "node",
    says: "sends a signal to the server",
    stoppedBy: ["landlock", "own-processes", "seccomp"],
    // Signal 0 checks the right to send one and sends none.
    run: ({ serverPid }) => `${process.kill(serverPid, 0)}`,
  },
  {
    name: "start-thread",
    route: "node",
    says: "starts a thread with Node's modules in it",
    stoppedBy: ["permission-model"],
    run: async () => {
      await new Worker("", { eval: true }).terminate();
      return "started";
    },
  },
  {
    name: "call-native-code",
    route: "node",
    says: "opens the C library through node:ffi",
    stoppedBy: ["permission-model"],
    run: () => {
      const libc = openLibc();
      if (typeof libc === "string") throw new Error(libc);
      return "opened";
    },
  },
];

async function connected(socket: ReturnType<typeof connect>): Promise<string> {
  try {
    await once(socket, "connect");
    return "connected";
  } finally {
    socket.destroy();
  }
}

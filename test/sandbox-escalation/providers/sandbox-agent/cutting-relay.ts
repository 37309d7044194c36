// A way to a server whose connections break: those that carry streams of events, whenever a test says so.
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

export class CuttingRelay {
  cuts = 0;
  readonly #server: Server;
  readonly #streams = new Set<Socket>();

  private constructor(port: number) {
    this.#server = createServer((near) => {
      const far = connect(port, "127.0.0.1");
      near.on("data", (bytes: Buffer) => {
        if (bytes.includes("follow=true")) this.#streams.add(near);
      });
      near.pipe(far).pipe(near);
      const end = () => {
        this.#streams.delete(near);
        near.destroy();
        far.destroy();
      };
      for (const socket of [near, far]) socket.on("error", end).on("close", end);
    });
  }

  static async start(port: number): Promise<CuttingRelay> {
    const relay = new CuttingRelay(port);
    relay.#server.listen(0, "127.0.0.1");
    await once(relay.#server, "listening");
    return relay;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("there is no port");
    return `http://127.0.0.1:${address.port}`;
  }

  cutStreams(): void {
    for (const socket of this.#streams) {
      this.cuts += 1;
      socket.destroy();
    }
  }

  async stop(): Promise<void> {
    this.cutStreams();
    this.#server.close();
  }
}

// Two ends of a real socket.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Two connected sockets; the caller destroys them. */
export async function socketPair(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const client = connect(address.port, "127.0.0.1");
  const peer = await accepted;
  server.close();
  return [client, peer];
}

import { StreamTable } from "../../src/streams/index.ts";

/** Two ends of a connection that carries each frame at once, and copies as a wire does. */
export function linkStreams(): { readonly server: StreamTable; readonly cell: StreamTable } {
  const linkTo = (peer: () => StreamTable): ConstructorParameters<typeof StreamTable>[0] => ({
    send: (frame, body = new Uint8Array(0)) => peer().receive(frame, body.slice()),
    sendFirst: (frame) => peer().receive(frame, new Uint8Array(0)),
    hasRoom: () => true,
  });
  const server: StreamTable = new StreamTable(
    linkTo(() => cell),
    1,
  );
  const cell: StreamTable = new StreamTable(
    linkTo(() => server),
    2,
  );
  return { server, cell };
}

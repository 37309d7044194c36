// The API that books.yaml describes: a plain HTTP server that knows nothing of agentos-mcp.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

interface Book {
  readonly id: number;
  readonly title: string;
  readonly author: string;
}

const PAGE = 2;

/** Listens on a port of loopback; every request must carry the token. */
export async function startBooksApi(token: string): Promise<{ server: Server; port: number }> {
  const books: Book[] = [
    { id: 1, title: "The Dispossessed", author: "Ursula K. Le Guin" },
    { id: 2, title: "The Left Hand of Darkness", author: "Ursula K. Le Guin" },
    { id: 3, title: "Solaris", author: "Stanisław Lem" },
    { id: 4, title: "A Wizard of Earthsea", author: "Ursula K. Le Guin" },
    { id: 5, title: "Kindred", author: "Octavia E. Butler" },
  ];
  const server = createServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${token}`) {
      send(response, 401, { error: "Who are you?" });
      return;
    }
    answer(books, request, response).catch((error: unknown) => {
      send(response, 400, { error: String(error) });
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  return { server, port: typeof address === "object" ? (address?.port ?? 0) : 0 };
}

async function answer(
  books: Book[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://books");
  const id = Number(/^\/v1\/books\/(\d+)$/.exec(url.pathname)?.[1]);
  const index = books.findIndex((book) => book.id === id);
  const what = `${request.method} ${Number.isNaN(id) ? url.pathname : "/v1/books/{id}"}`;
  if (what === "GET /v1/books") return list(books, url, response);
  if (what === "POST /v1/books") {
    const { title, author }: Book = JSON.parse(await textOf(request));
    const book = { id: books.length + 1, title, author };
    books.push(book);
    return send(response, 201, book);
  }
  const book = books[index];
  if (book === undefined) return send(response, 404, { error: "There is no such book." });
  if (what === "GET /v1/books/{id}") return send(response, 200, book);
  books.splice(index, 1);
  response.writeHead(204).end();
}

function list(books: readonly Book[], url: URL, response: ServerResponse): void {
  const author = url.searchParams.get("author");
  const page = Number(url.searchParams.get("page") ?? 1);
  const found = books.filter((book) => author === null || book.author === author);
  if (found.length > page * PAGE) {
    url.searchParams.set("page", String(page + 1));
    response.setHeader("link", `<${url.pathname}${url.search}>; rel="next"`);
  }
  send(response, 200, found.slice((page - 1) * PAGE, page * PAGE));
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}

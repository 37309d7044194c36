import { z } from "zod";
import { SandboxError } from "../../provider.ts";
import type { EngineClient } from "./engine-client.ts";

export interface ImageFacts {
  /** What it is now, whatever its name means later. */
  readonly id: string;
  readonly architecture: "x64" | "arm64";
  /** `NAME=value`, as the image has them. */
  readonly environment: readonly string[];
}

export interface ImageRequest {
  readonly name: string;
  readonly canPull: boolean;
  readonly signal: AbortSignal | undefined;
}

/** SandboxError "unsupported" for a name that is none, "unavailable" for an image that is not here. */
export async function prepareImage(
  engine: EngineClient,
  request: ImageRequest,
): Promise<ImageFacts> {
  const { name } = request;
  if (name === "host")
    throw new SandboxError("unsupported", "Containers need an image: name one, as debian:13.");
  if (name.length > NAME_LIMIT || !NAME.test(name) || name.includes(".."))
    throw new SandboxError("unsupported", `"${name.slice(0, NAME_LIMIT)}" is no image's name.`);
  const here = await findImage(engine, request);
  if (here !== undefined) return here;
  if (!request.canPull)
    throw new SandboxError(
      "unavailable",
      `The image ${name} is not on this machine. To have it: docker pull ${name}`,
    );
  await pullImage(engine, request);
  const pulled = await findImage(engine, request);
  if (pulled !== undefined) return pulled;
  throw new SandboxError("unavailable", `The image ${name} is not there after it was pulled.`);
}

/** Docker's grammar of references, a little wider: an optional host, a path, a tag, a digest. */
const NAME = /^[a-z0-9][a-z0-9._:/-]*(:[A-Za-z0-9_][A-Za-z0-9_.-]*)?(@sha256:[0-9a-f]{64})?$/;
const NAME_LIMIT = 255;
const PULL_LIMIT_MS = 600_000;

const inspection = z.object({
  Id: z.string(),
  Os: z.string(),
  Architecture: z.string(),
  Config: z.object({ Env: z.array(z.string()).nullish() }).nullish(),
});

async function findImage(
  engine: EngineClient,
  { name, signal }: ImageRequest,
): Promise<ImageFacts | undefined> {
  // Slashes of a name are part of the path there; the name has nothing else that a path would read.
  const path = `/images/${name}/json`;
  const answer = await engine.expect({ method: "GET", path, signal }, [200, 404]);
  if (answer.status === 404) return undefined;
  const image = inspection.parse(answer.body);
  const architecture = architectures.get(image.Architecture);
  if (image.Os !== "linux" || architecture === undefined)
    throw new SandboxError(
      "unsupported",
      `The image ${name} is for ${image.Os} on ${image.Architecture}: Linux on amd64 or arm64 is needed.`,
    );
  return { id: image.Id, architecture, environment: image.Config?.Env ?? [] };
}

const architectures = new Map<string, "x64" | "arm64">([
  ["amd64", "x64"],
  ["arm64", "arm64"],
]);

/** The answer is 200 before the first layer comes; how it went is in its lines. */
async function pullImage(engine: EngineClient, { name, signal }: ImageRequest): Promise<void> {
  const hasTag = /:[^/]*$/.test(name) || name.includes("@");
  const path = `/images/create?fromImage=${encodeURIComponent(name)}${hasTag ? "" : "&tag=latest"}`;
  const answer = await engine.expect(
    { method: "POST", path, signal, limitMs: PULL_LIMIT_MS, keepsEndOnly: true },
    [200],
  );
  const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
  const failure = /"error":"((?:[^"\\]|\\.){1,400})/.exec(text);
  if (failure !== null)
    throw new SandboxError("unavailable", `The image ${name} cannot be pulled: ${failure[1]}`);
}

// How text is counted in tokens without a tokenizer: near enough to keep an answer within its limit.

/** What a model's token takes on average of logs and source, in bytes: 8000 tokens are 30 KB. */
const bytesPerToken = 3.75;

/** What one answer shows unless asked otherwise. Clients cut or hide what is much longer. */
export const defaultOutputTokens = 8000;
export const maxOutputTokens = 100_000;

export function bytesOfTokens(tokens: number): number {
  return Math.floor(tokens * bytesPerToken);
}

export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

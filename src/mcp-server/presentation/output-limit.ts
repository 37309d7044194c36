// How much of an output one answer shows. In bytes: what a token is differs from model to model, and 30,000 bytes are
// 8,000 tokens of source and 22,000 of numbers.

/** What one answer shows unless asked otherwise. Clients cut or hide what is much longer. */
export const defaultOutputBytes = 30_000;
export const maxOutputBytes = 400_000;

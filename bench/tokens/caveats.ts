/** What the figures do not say; printed with every report. */
export const caveats = `What these figures are not:
- No model ran. Each trajectory is what a model does that makes no mistake: no retries, no wrong guesses, no
  thinking. It must know jq and TypeScript. Success rates need a live test.
- Conversations are one task long. In a longer one, definitions and help are shared by many tasks.
- "direct, all tools" makes all calls that need nothing of each other in one turn: its best case. The row
  "one call a turn" is its worst.
- Results of direct calls are compact JSON of moderate size; real APIs often return several times as much.
- Billed input counts every request in full. Providers cache prefixes: the cost columns have that.
- o200k_base is OpenAI's. Claude's current tokenizer is not public; ratios change little between tokenizers.
- What clients add around tools (wrappers, schemas of results) is not counted in any arm.
`;

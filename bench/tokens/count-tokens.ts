// Tokens as o200k_base counts them: the one tokenizer of a current model that is public.
import { countTokens as count } from "gpt-tokenizer/encoding/o200k_base";

export function countTokens(text: string): number {
  return count(text);
}

/** Texts by characters, not code units; a list of characters is made only where they differ. */

export function countCharacters(text: string): number {
  return hasPairs(text) ? [...text].length : text.length;
}

export function sliceCharacters(text: string, from: number, to: number): string {
  return hasPairs(text) ? [...text].slice(from, to).join("") : text.slice(from, to);
}

function hasPairs(text: string): boolean {
  return /[\ud800-\udbff]/.test(text);
}

/** Text of a server as a terminal may show it: without colours and control characters, but for new lines and tabs. */
export function plainText(text: string): string {
  return text.replace(escapes, "").replace(controls, "").trim();
}

// oxlint-disable-next-line no-control-regex -- these are what it takes out
const escapes = /\u001b\[[0-?]*[ -/]*[@-~]/g;
// oxlint-disable-next-line no-control-regex -- these are what it takes out
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

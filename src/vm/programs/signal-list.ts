import { findSignalName, LAST_SIGNAL } from "../../kernel/index.ts";

const LINE_WIDTH = 78;

/** The signals as procps and psmisc name them, from 1 on. */
export function signalNames(): string[] {
  const names = Array.from({ length: LAST_SIGNAL }, (_, at) => findSignalName(at + 1)?.slice(3));
  return names.map((name) => (name === "IO" ? "POLL" : (name ?? "")));
}

/** The names in lines, as `kill -l` and `killall -l` print them. */
export function listSignals(): string {
  let [text, width] = ["", 0];
  for (const name of signalNames()) {
    const isFull = width > 0 && width + name.length + 1 > LINE_WIDTH;
    text += `${width === 0 ? "" : isFull ? "\n" : " "}${name}`;
    width = isFull || width === 0 ? name.length : width + name.length + 1;
  }
  return `${text}\n`;
}

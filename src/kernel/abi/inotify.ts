import { decodeText, encodeText } from "./text.ts";

/** Events of inotify(7), Linux's numbers. */
export const IN_ACCESS = 0x001;
export const IN_MODIFY = 0x002;
export const IN_ATTRIB = 0x004;
export const IN_CLOSE_WRITE = 0x008;
export const IN_CLOSE_NOWRITE = 0x010;
export const IN_OPEN = 0x020;
export const IN_MOVED_FROM = 0x040;
export const IN_MOVED_TO = 0x080;
export const IN_CREATE = 0x100;
export const IN_DELETE = 0x200;
export const IN_DELETE_SELF = 0x400;
export const IN_MOVE_SELF = 0x800;
export const IN_ALL_EVENTS = 0xfff;
export const IN_UNMOUNT = 0x2000;
export const IN_Q_OVERFLOW = 0x4000;
export const IN_IGNORED = 0x8000;
export const IN_ONLYDIR = 0x1000000;
/** Only for a file that is not watched yet: EEXIST. */
export const IN_MASK_CREATE = 0x10000000;
/** Adds to what is watched already. */
export const IN_MASK_ADD = 0x20000000;
export const IN_ISDIR = 0x40000000;
export const IN_ONESHOT = 0x80000000;

/** One event, decoded from the 16-byte header and padded name that a read gives. */
export interface InotifyEvent {
  readonly wd: number;
  readonly mask: number;
  readonly cookie: number;
  readonly name: string;
}

/** The size of struct inotify_event without its name. */
export const INOTIFY_HEADER_BYTES = 16;

/** The events in the bytes that a read of an inotify fd gave. */
export function decodeInotify(bytes: Uint8Array): InotifyEvent[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const events: InotifyEvent[] = [];
  for (let at = 0; at + INOTIFY_HEADER_BYTES <= bytes.length; ) {
    const nameStart = at + INOTIFY_HEADER_BYTES;
    const nameEnd = nameStart + view.getUint32(at + 12, true);
    const padded = bytes.subarray(nameStart, nameEnd);
    const end = padded.indexOf(0);
    events.push({
      wd: view.getInt32(at, true),
      mask: view.getUint32(at + 4, true),
      cookie: view.getUint32(at + 8, true),
      name: decodeText(end === -1 ? padded : padded.subarray(0, end)),
    });
    at = nameEnd;
  }
  return events;
}

/** The bytes Linux gives for an event: the name ends in NULs, padded to the header's size. */
export function encodeInotify({ wd, mask, cookie, name }: InotifyEvent): Uint8Array {
  const text = encodeText(name);
  const padded = text.length === 0 ? 0 : roundUp(text.length + 1);
  const bytes = new Uint8Array(INOTIFY_HEADER_BYTES + padded);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, wd, true);
  view.setUint32(4, mask, true);
  view.setUint32(8, cookie, true);
  view.setUint32(12, padded, true);
  bytes.set(text, INOTIFY_HEADER_BYTES);
  return bytes;
}

function roundUp(sizeBytes: number): number {
  return Math.ceil(sizeBytes / INOTIFY_HEADER_BYTES) * INOTIFY_HEADER_BYTES;
}

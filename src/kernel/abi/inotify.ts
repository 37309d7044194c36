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
export const IN_ISDIR = 0x40000000;
export const IN_ONESHOT = 0x80000000;

/** One event, decoded from the 16-byte header and padded name that a read gives. */
export interface InotifyEvent {
  readonly wd: number;
  readonly mask: number;
  readonly cookie: number;
  readonly name: string;
}

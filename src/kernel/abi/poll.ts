/** Events of poll(2), Linux's numbers. */
export const POLLIN = 0x001;
export const POLLPRI = 0x002;
export const POLLOUT = 0x004;
export const POLLERR = 0x008;
export const POLLHUP = 0x010;
export const POLLNVAL = 0x020;
export const POLLRDHUP = 0x2000;

export interface PollRequest {
  readonly fd: number;
  readonly events: number;
}

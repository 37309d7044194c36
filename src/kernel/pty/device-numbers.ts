/** /dev/tty: the terminal of the caller's session (5, 0). */
export const TTY_DEVICE = makeDevice(5, 0);
/** /dev/ptmx: each opening makes a pseudo-terminal (5, 2). */
export const PTMX_DEVICE = makeDevice(5, 2);
/** Linux's UNIX98_PTY_SLAVE_MAJOR. */
const SLAVE_MAJOR = 136;

/** The device of /dev/pts/N. */
export function slaveDevice(number: number): number {
  return makeDevice(SLAVE_MAJOR, number);
}

/** N when the device is /dev/pts/N, else undefined. */
export function slaveNumber(rdev: number): number | undefined {
  const major = (rdev >> 8) & 0xfff;
  return major === SLAVE_MAJOR ? (rdev & 0xff) | ((rdev >>> 20) << 8) : undefined;
}

/** st_rdev as Linux encodes it (new_encode_dev). */
export function makeDevice(major: number, minor: number): number {
  return (minor & 0xff) + major * 0x100 + (minor >> 8) * 0x10_0000;
}

/** Linux's error numbers (x86-64, asm-generic/errno*.h) with glibc's strerror words. */
export const errnos = {
  EPERM: [1, "Operation not permitted"],
  ENOENT: [2, "No such file or directory"],
  ESRCH: [3, "No such process"],
  EINTR: [4, "Interrupted system call"],
  EIO: [5, "Input/output error"],
  ENXIO: [6, "No such device or address"],
  E2BIG: [7, "Argument list too long"],
  ENOEXEC: [8, "Exec format error"],
  EBADF: [9, "Bad file descriptor"],
  ECHILD: [10, "No child processes"],
  EAGAIN: [11, "Resource temporarily unavailable"],
  ENOMEM: [12, "Cannot allocate memory"],
  EACCES: [13, "Permission denied"],
  EFAULT: [14, "Bad address"],
  EBUSY: [16, "Device or resource busy"],
  EEXIST: [17, "File exists"],
  EXDEV: [18, "Invalid cross-device link"],
  ENODEV: [19, "No such device"],
  ENOTDIR: [20, "Not a directory"],
  EISDIR: [21, "Is a directory"],
  EINVAL: [22, "Invalid argument"],
  ENFILE: [23, "Too many open files in system"],
  EMFILE: [24, "Too many open files"],
  ENOTTY: [25, "Inappropriate ioctl for device"],
  ETXTBSY: [26, "Text file busy"],
  EFBIG: [27, "File too large"],
  ENOSPC: [28, "No space left on device"],
  ESPIPE: [29, "Illegal seek"],
  EROFS: [30, "Read-only file system"],
  EMLINK: [31, "Too many links"],
  EPIPE: [32, "Broken pipe"],
  ERANGE: [34, "Numerical result out of range"],
  EDEADLK: [35, "Resource deadlock avoided"],
  ENAMETOOLONG: [36, "File name too long"],
  ENOLCK: [37, "No locks available"],
  ENOSYS: [38, "Function not implemented"],
  ENOTEMPTY: [39, "Directory not empty"],
  ELOOP: [40, "Too many levels of symbolic links"],
  EOVERFLOW: [75, "Value too large for defined data type"],
  ENOTSUP: [95, "Operation not supported"],
  ETIMEDOUT: [110, "Connection timed out"],
  ESTALE: [116, "Stale file handle"],
  EDQUOT: [122, "Disk quota exceeded"],
} as const;

export type Errno = keyof typeof errnos;

/** What strerror(3) says. Programs print it as `name: subject: words`. */
export function errnoWords(errno: Errno): string {
  return errnos[errno][1];
}

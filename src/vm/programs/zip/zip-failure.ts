/** Ends zip with its words and status. */
export class ZipFailure extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

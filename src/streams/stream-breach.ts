/** The peer broke the rules of a stream: it sent more than it was granted, or used what is not its own. */
export class StreamBreach extends Error {
  constructor(message: string) {
    super(message);
    this.name = "StreamBreach";
  }
}

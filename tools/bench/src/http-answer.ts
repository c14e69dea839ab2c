import { StringDecoder } from 'node:string_decoder';

const emptyLine = '\r\n\r\n';
const lineEnd = '\r\n';

/** One answer of an HTTP/1.1 server, put together from the pieces in which it comes. */
export class HttpAnswer {
  status = 0;
  text = '';
  /** Whether it has come to its end, so that the connection is free for the next request. */
  ended = false;

  private readonly decoder = new StringDecoder('utf8');
  private unread: Buffer = Buffer.alloc(0);
  /** What is still to come of the body, or of the chunk that is being read; -1 where the next line tells it. */
  private missing = -1;
  private chunked = false;

  take(piece: Buffer): void {
    this.unread = this.unread.length > 0 ? Buffer.concat([this.unread, piece]) : piece;
    if (this.status === 0 && !this.readHead()) return;
    if (this.chunked) while (this.readChunk());
    else this.ended = this.readBody();
  }

  private readHead(): boolean {
    const end = this.unread.indexOf(emptyLine);
    if (end < 0) return false;
    const head = this.unread.toString('latin1', 0, end).toLowerCase();
    this.unread = this.unread.subarray(end + emptyLine.length);
    this.status = Number(head.split(' ', 2)[1]);
    this.chunked = /\r\ntransfer-encoding: *chunked/.test(head);
    if (!this.chunked) this.missing = Number(/\r\ncontent-length: *(\d+)/.exec(head)?.[1] ?? 0);
    return true;
  }

  private readBody(): boolean {
    const read = this.unread.subarray(0, this.missing);
    this.text += this.decoder.write(read);
    this.missing -= read.length;
    this.unread = this.unread.subarray(read.length);
    return this.missing === 0;
  }

  /** Whether there may be another chunk in what has come. */
  private readChunk(): boolean {
    if (this.missing < 0) {
      const end = this.unread.indexOf(lineEnd);
      if (end < 0) return false;
      const size = Number.parseInt(this.unread.toString('latin1', 0, end), 16);
      if (size === 0) {
        this.ended = this.unread.indexOf(emptyLine, end) >= 0;
        return false;
      }
      this.unread = this.unread.subarray(end + lineEnd.length);
      this.missing = size;
    }
    if (!this.readBody() || this.unread.length < lineEnd.length) return false;
    this.unread = this.unread.subarray(lineEnd.length);
    this.missing = -1;
    return true;
  }
}

import { request, type ClientRequest, type IncomingMessage } from 'node:http';

export interface Frame {
  readonly id: string;
  readonly event: string;
  readonly data: { id: string; event: string; created_at: string; data: Record<string, unknown> };
}

/** A client of an event stream that reads as fast or as slowly as a test wants. */
export class EventSource {
  readonly frames: Frame[] = [];
  comments = 0;
  /** Everything that came, as it came. */
  text = '';
  /** `end` if the stream ended in good order, else `cut`. */
  readonly ended: Promise<'end' | 'cut'>;

  private constructor(
    private readonly sent: ClientRequest,
    readonly answer: IncomingMessage,
  ) {
    this.ended = new Promise((resolve) => {
      answer.on('end', () => resolve('end'));
      answer.on('error', () => resolve('cut'));
    });
  }

  /** Resolves when the headers are there; nothing is read before `read`. */
  static open(url: string, headers: Record<string, string>): Promise<EventSource> {
    return new Promise((resolve, reject) => {
      // A connection of its own, and kept alive as browsers do.
      const sent = request(url, { headers: { ...headers, connection: 'keep-alive' }, agent: false });
      sent.on('error', reject);
      sent.on('response', (answer) => resolve(new EventSource(sent, answer)));
      sent.end();
    });
  }

  read(): this {
    let rest = '';
    this.answer.setEncoding('utf8');
    this.answer.on('data', (chunk: string) => {
      this.text += chunk;
      rest += chunk;
      // To search a long text again for each chunk takes time that grows with the square of its length.
      if (!chunk.includes('\n')) return;
      const frames = rest.split('\n\n');
      rest = frames.pop()!;
      for (const frame of frames) this.take(frame);
    });
    return this;
  }

  leave(): void {
    this.sent.destroy();
  }

  get ids(): number[] {
    return this.frames.map(({ id }) => Number(id));
  }

  private take(frame: string): void {
    if (frame.startsWith(':')) this.comments += 1;
    const match = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(frame);
    if (!match) return;
    const [, id, event, data] = match;
    this.frames.push({ id: id!, event: event!, data: JSON.parse(data!) as Frame['data'] });
  }
}

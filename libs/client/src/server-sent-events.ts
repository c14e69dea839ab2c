export interface ServerSentEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  /** Undefined where a frame tells by its id where the stream is, and nothing else. */
  readonly data: string | undefined;
}

/**
 * Reads an event stream. Fails if nothing comes for so long that the connection must be dead: the service breaks
 * every silence with a comment.
 */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<ServerSentEvent, void, void> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  const fields = new Fields();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), silenceMs);
      if (done) return;
      // A line break of two characters may come in two pieces.
      const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop()!;
      for (const line of lines) {
        const event = fields.take(line);
        if (event) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** The fields of an event as they come, line by line. */
class Fields {
  private id: string | undefined;
  private hasOwnId = false;
  private event: string | undefined;
  private data: string[] = [];

  /** The event that an empty line ends. */
  take(line: string): ServerSentEvent | undefined {
    if (line === '') return this.end();
    const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line)!;
    if (name === 'id') {
      this.id = value;
      this.hasOwnId = true;
    }
    if (name === 'event') this.event = value;
    if (name === 'data') this.data.push(value!);
    return undefined;
  }

  private end(): ServerSentEvent | undefined {
    const { id, hasOwnId, event, data } = this;
    this.hasOwnId = false;
    this.event = undefined;
    this.data = [];
    if (data.length > 0) return { id, event, data: data.join('\n') };
    return hasOwnId ? { id, event, data: undefined } : undefined;
  }
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The stream has been silent for ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
  }
}

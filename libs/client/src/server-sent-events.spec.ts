import { serverSentEvents, type ServerSentEvent } from './server-sent-events.js';

const longMs = 60_000;

/** A stream that gives its bytes in pieces of a size. */
function streamOf(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

async function read(text: string, size: number): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of serverSentEvents(streamOf(text, size), longMs)) events.push(event);
  return events;
}

const text =
  'retry: 1000\nid: 0\n\n: keep-alive\n\nid: 1\nevent: run.started\ndata: {"a":"ü"}\n\nid:2\ndata:one\ndata: two\n\n' +
  'event: nothing\n\ndata\n\n';

const events = [
  { id: '0', event: undefined, data: undefined },
  { id: '1', event: 'run.started', data: '{"a":"ü"}' },
  { id: '2', event: undefined, data: 'one\ntwo' },
  { id: '2', event: undefined, data: '' },
];

describe('serverSentEvents', () => {
  it.each([1, 2, 3, 7, 1000])('reads them however they are cut: %i bytes at a time', async (size) => {
    expect(await read(text, size)).toEqual(events);
    expect(await read(text.replaceAll('\n', '\r\n'), size)).toEqual(events);
  });

  it('drops what the stream breaks off in', async () => {
    expect(await read('data: one\n\ndata: tw', 4)).toEqual([
      { id: undefined, event: undefined, data: 'one' },
    ]);
  });

  it('fails where nothing comes any more', async () => {
    const silent = new ReadableStream<Uint8Array>();
    await expect(serverSentEvents(silent, 5).next()).rejects.toThrow('silent');
  });

  it('lets the connection go when the reader has enough', async () => {
    let cancel = () => {};
    const cancelled = new Promise<void>((resolve) => (cancel = resolve));
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: x\n\n')),
      cancel,
    });
    for await (const { data } of serverSentEvents(endless, longMs)) {
      expect(data).toBe('x');
      break;
    }
    await cancelled;
  });
});

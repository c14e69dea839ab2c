import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { EventStreamWriter } from './event-stream-writer.js';

describe('EventStreamWriter', () => {
  const silenceMs = 60_000;
  const start = 7;
  const opening = 'retry: 1000\nid: 7\n\n';
  const open = new AbortController().signal;

  it('begins with how soon and where to come back, and ends when it is told to', async () => {
    const writer = new EventStreamWriter(silenceMs, start);
    await writer.write('one\n\n', open);
    await writer.write('two\n\n', open);
    writer.end();
    expect(await text(writer.body)).toBe(`${opening}one\n\ntwo\n\n`);
  });

  it('breaks a silence, again and again', async () => {
    const writer = new EventStreamWriter(1, start);
    let seen = '';
    for await (const chunk of writer.body) {
      seen += String(chunk);
      if (seen.match(/: keep-alive\n\n/g)?.length === 3) writer.end();
    }
    expect(seen.replaceAll(': keep-alive\n\n', '')).toBe(opening);
  });

  it('lets a writer wait until the reader has taken what is there', async () => {
    const writer = new EventStreamWriter(silenceMs, start);
    const page = 'x'.repeat(1_000_000);
    let written = false;
    const writing = writer.write(page, open).then(() => (written = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(written).toBe(false);
    const reading = text(writer.body);
    await writing;
    writer.end();
    expect((await reading) === `${opening}${page}`).toBe(true);
  });

  it('does not wait for a reader that has gone', async () => {
    const client = new AbortController();
    const writer = new EventStreamWriter(silenceMs, start);
    const writing = writer.write('x'.repeat(1_000_000), client.signal);
    client.abort();
    await writing;
    writer.body.destroy();
    await once(writer.body, 'close');
    await writer.write('y', client.signal);
    writer.end();
    expect(writer.body.destroyed).toBe(true);
  });
});

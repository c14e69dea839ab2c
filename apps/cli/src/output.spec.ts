import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Output } from './output.js';

const hostile = Buffer.from([0x1b, 0x5b, 0x32, 0x4a, 0xff, 0x00, 0x0d]);

async function printed(isTerminal: boolean): Promise<Buffer> {
  const out = new PassThrough();
  const output = new Output(out, () => undefined, { json: false, colour: false, isTerminal });
  async function* content() {
    yield hostile;
  }
  await output.bytes(content(), new AbortController().signal);
  out.end();
  return Buffer.concat(await out.toArray());
}

describe('the content of a file', () => {
  it('comes byte for byte where a program or a file takes it', async () => {
    expect(await printed(false)).toEqual(hostile);
  });

  it('is text at a terminal, and steers nothing', async () => {
    expect((await printed(true)).toString()).toBe('\ufffd[2J\ufffd\ufffd\ufffd\n');
  });

  it('is not waited for any longer where somebody has enough, though nobody takes what there is', async () => {
    const stop = new AbortController();
    const blocked = new PassThrough({ highWaterMark: 1 });
    const output = new Output(blocked, () => undefined, { json: false, colour: false, isTerminal: false });
    async function* content() {
      for (;;) yield hostile;
    }
    const given = output.bytes(content(), stop.signal);
    stop.abort();
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a result', () => {
  it('is JSON and nothing else for a program', async () => {
    const out = new PassThrough();
    new Output(out, () => undefined, { json: true, colour: false, isTerminal: true }).result({ a: 1 }, () => [
      'for people',
    ]);
    out.end();
    expect(JSON.parse(await text(out))).toEqual({ a: 1 });
  });
});

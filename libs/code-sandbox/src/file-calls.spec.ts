import { MemoryFiles } from '../test/memory-files.js';
import { answerFileCall } from './file-calls.js';
import type { FileCall } from './machine/thread-messages.js';

const answer = async (call: FileCall, files = new MemoryFiles()): Promise<unknown> =>
  JSON.parse(await answerFileCall(call, files, 10));

describe('answerFileCall', () => {
  it('measures a text in bytes as it is stored', async () => {
    const files = new MemoryFiles();
    expect(await answer({ method: 'write', args: ['a', '\n'.repeat(10)] }, files)).toEqual({ ok: true });
    expect(await answer({ method: 'read', args: ['a'] }, files)).toEqual({
      ok: true,
      value: '\n'.repeat(10),
    });
    const refused = { ok: false, error: 'A file may have 10 bytes.' };
    expect(await answer({ method: 'write', args: ['b', 'é'.repeat(6)] }, files)).toEqual(refused);
    expect([...files.contents.keys()]).toEqual(['a']);
  });

  it('measures other answers as JSON', async () => {
    const files = new MemoryFiles();
    files.list = async () => [1, 2, 3];
    expect(await answer({ method: 'list', args: [] }, files)).toEqual({ ok: true, value: [1, 2, 3] });
    files.list = async () => [1, 2, 3, 4, 5];
    const error = 'The answer of files.list may have 10 bytes.';
    expect(await answer({ method: 'list', args: [] }, files)).toEqual({ ok: false, error });
  });

  it('tells the message of an error, and no more of anything else', async () => {
    const files = new MemoryFiles();
    files.remove = () => Promise.reject(new Error('x'.repeat(5_000)));
    expect(await answer({ method: 'remove', args: ['a'] }, files)).toEqual({
      ok: false,
      error: 'x'.repeat(2_000),
    });
    files.remove = () => Promise.reject({ secret: 1 });
    expect(await answer({ method: 'remove', args: ['a'] }, files)).toEqual({
      ok: false,
      error: 'The call failed.',
    });
  });
});

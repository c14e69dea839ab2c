import { PassThrough } from 'node:stream';
import { terminalPrompts } from './prompts.js';

/** A terminal on which somebody presses these keys once they are asked. */
function pressing(keys: string) {
  const input = new PassThrough();
  const stop = new AbortController();
  const prompts = terminalPrompts(input, new PassThrough().resume(), () =>
    stop.abort(new Error('Interrupted.')),
  );
  const asked = prompts.ask('Approve? ', stop.signal);
  input.write(keys);
  return { asked, isInterrupted: () => stop.signal.aborted };
}

describe('a question at the terminal', () => {
  it('is answered by a line', async () => {
    expect(await pressing(' yes \r').asked).toBe('yes');
  });

  it('ends with Ctrl-C, which ends the command', async () => {
    const { asked, isInterrupted } = pressing('ye\u0003');
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    expect(isInterrupted()).toBe(true);
  });

  it('ends with Ctrl-D, without an answer', async () => {
    const { asked, isInterrupted } = pressing('\u0004');
    await expect(asked).rejects.toThrow('No answer was given.');
    expect(isInterrupted()).toBe(false);
  });
});

import { main } from './main.js';
import { tableOf } from './table.js';

async function said(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await main(args, { out: (text) => out.push(text), err: (text) => err.push(text) });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

describe('npm run ops', () => {
  it.each([
    [['no-such-command'], 'There is no command no-such-command'],
    [['events', 'retry'], '--service is missing'],
    [['events', 'dead', '--service', 'nobody'], 'nobody is no service'],
    [['runs', 'stuck', '--seconds', 'many'], '--seconds must be a whole number'],
    [['runs', 'stuck', '--team', 'x'], "Unknown option '--team'"],
    [['deliveries', 'retry', '--webhook', 'x'], '--webhook must be an id'],
    [['drain'], 'Nothing is no service'],
  ])('refuses %j', async (args, reason) => {
    const { code, err } = await said(...args);
    expect([code, err]).toEqual([64, expect.stringContaining(reason)]);
  });

  it('says what there is', async () => {
    const { code, out } = await said('help');
    expect(code).toBe(0);
    for (const words of [
      'status',
      'events dead',
      'deliveries retry',
      'runs stuck',
      'runs restored',
      'drain SERVICE',
      'keys',
      'recount',
    ]) {
      expect(out).toContain(words);
    }
    expect((await said()).code).toBe(64);
  });
});

describe('tableOf', () => {
  it('lets no text of a team move the cursor', () => {
    expect(tableOf([{ a: 'x\u001b[2Jy\nz', b: null }])).toBe(
      'a          b\nx [2Jy z  -'.replace('a          b', 'a         b'),
    );
  });
});

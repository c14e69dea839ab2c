import { getEventListeners } from 'node:events';
import { McpExchanges } from './mcp-exchanges.js';
import { ToolServer, type ToolSource } from './tool-server.js';

const exchanges = new McpExchanges({ keepAliveMs: 60_000, onError: () => undefined });

interface Answered {
  readonly id: number;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly message: string };
}

describe('a batch', () => {
  let client: AbortController;
  let calls: string[];
  let underWay: number;
  let maxInFlight: number;

  beforeEach(() => {
    client = new AbortController();
    calls = [];
    underWay = 0;
    maxInFlight = 0;
  });

  /** Tools that answer as many characters as their name says. */
  const tools: ToolSource = {
    list: async () => ({ tools: [], ttlMs: 0 }),
    call: async (name) => {
      calls.push(name);
      underWay += 1;
      maxInFlight = Math.max(maxInFlight, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      if (name === 'leave') client.abort();
      return { content: [{ type: 'text', text: 'x'.repeat(Number(name) || 0) }] };
    },
  };

  function post(names: readonly string[]): Promise<Response> {
    const body = names.map((name, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } }));
    const translate = (error: unknown) => error as Error;
    return exchanges.answer(
      { headers: new Headers(), body, signal: client.signal },
      (generation) => new ToolServer(generation, { info: { name: 'a', version: '1' }, tools, translate }),
    );
  }

  const lengthOf = ({ result }: Answered) => result?.content[0]!.text.length;

  it('is answered message by message, in its order', async () => {
    const names = Array.from({ length: 50 }, (_, index) => String(index));
    const response = await post(names);
    expect(response.headers.get('content-type')).toContain('application/json');
    const answers = (await response.json()) as Answered[];
    expect(answers.map(({ id }) => String(id))).toEqual(names);
    expect(answers.map(lengthOf).map(String)).toEqual(names);
    expect([calls, maxInFlight]).toEqual([names, 1]);
  });

  it('leaves nothing behind that listens for the client to go', async () => {
    await post(Array.from({ length: 20 }, () => '1'));
    expect(getEventListeners(client.signal, 'abort')).toEqual([]);
  });

  it('is not gone on with once its answers are large, and says so for each message that is left', async () => {
    const large = String(5 * 1024 * 1024);
    const answers = (await (await post(['1', large, large, '1', '1'])).json()) as Answered[];
    expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
    expect(answers.slice(0, 3).map(lengthOf)).toEqual([1, Number(large), Number(large)]);
    for (const { error } of answers.slice(3))
      expect(error?.message).toMatch(/too large; send this one alone/);
    expect(calls).toHaveLength(3);
  });

  it('is not gone on with when its client has gone', async () => {
    await post(['1', 'leave', '1', '1']);
    expect(calls).toEqual(['1', 'leave']);
  });
});

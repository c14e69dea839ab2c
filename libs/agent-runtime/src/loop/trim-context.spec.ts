import fc from 'fast-check';
import type { ModelMessage } from '../models/model.js';
import { sizeOf, trimContext } from './trim-context.js';

const user = (text: string): ModelMessage => ({ role: 'user', text });

function exchange(id: string, ...results: string[]): ModelMessage[] {
  const toolCalls = results.map((_, index) => ({ id: `${id}-${index}`, name: 'look', arguments: {} }));
  return [
    { role: 'assistant', text: id, toolCalls },
    ...toolCalls.map((call, index) => toolResult(call.id, results[index]!)),
  ];
}

function toolResult(toolCallId: string, result: string): ModelMessage {
  return { role: 'tool', toolCallId, toolName: 'look', result };
}

const note = (count: number) => user(`[${count} earlier messages were left out here to save room.]`);

describe('trimContext', () => {
  it('leaves alone what fits', () => {
    const messages = [user('Hi'), ...exchange('a', 'x'.repeat(900))];
    expect(trimContext(messages, 1000)).toBe(messages);
    expect(trimContext(messages, Infinity)).toBe(messages);
  });

  it('cuts the middle out of long results first', () => {
    const [first, ...rest] = [user('Hi'), ...exchange('a', `${'h'.repeat(600)}${'t'.repeat(600)}`, 'short')];
    const trimmed = trimContext([first, ...rest], 1000);
    expect(trimmed).toEqual([
      first,
      rest[0],
      toolResult('a-0', `${'h'.repeat(106)}\n[988 characters were left out here]\n${'t'.repeat(106)}`),
      rest[2],
    ]);
  });

  it('does not cut through a character', () => {
    for (const maxChars of [400, 404, 408, 412]) {
      const trimmed = trimContext([user('Hi'), ...exchange('a', '😀'.repeat(300))], maxChars);
      expect(trimmed[2]).toMatchObject({ result: expect.stringMatching(/^[😀\uFFFD]+\n.*\n[😀\uFFFD]+$/u) });
    }
  });

  const long = 'x'.repeat(100);

  it('then leaves out the oldest exchanges, and says how many', () => {
    const old = [...exchange(long, 'a'), user(long), ...exchange(long, 'b', 'c')];
    const recent = [...exchange(long, 'd'), user('More')];
    expect(trimContext([user('Hi'), ...old, ...recent], 250)).toEqual([user('Hi'), note(6), ...recent]);
  });

  it('leaves out no more than it takes', () => {
    const recent = [user('And?'), ...exchange('b', 'ok')];
    expect(trimContext([user('Hi'), ...exchange(long, 'a'), ...recent], 105)).toEqual([
      user('Hi'),
      note(2),
      ...recent,
    ]);
  });

  it('keeps the first and the newest message where there is no turn', () => {
    expect(trimContext([user('a'), user('b'), user('c')], 0)).toEqual([user('a'), note(1), user('c')]);
  });

  it('notes where the beginning was left out', () => {
    const messages = [...exchange(long, 'a'), user('Hi'), ...exchange(long, 'b'), ...exchange('c', 'd')];
    expect(trimContext(messages, 100)).toEqual([note(4), user('Hi'), ...exchange('c', 'd')]);
  });

  it('lets the results of the newest turn share the room', () => {
    const results = Array.from({ length: 10 }, () => 'x'.repeat(240));
    const trimmed = trimContext([user('Hi'), ...exchange('a', ...results)], 1000);
    expect(sizeOf(trimmed)).toBeLessThanOrEqual(1000);
    expect(trimmed).toHaveLength(12);
  });

  const text = fc.string({ unit: 'grapheme', maxLength: 200 });
  const part = fc.oneof(
    text.map((said) => [user(said)]),
    fc.tuple(fc.uuid(), fc.array(text, { maxLength: 3 })).map(([id, results]) => exchange(id, ...results)),
  );
  const conversation = fc.array(part, { maxLength: 12 }).map((parts) => parts.flat());

  it('keeps every result behind its call, the first message, and the newest turn', () => {
    fc.assert(
      fc.property(conversation, fc.nat(1500), (messages, maxChars) => {
        const trimmed = trimContext(messages, maxChars);
        expect(brokenResults(trimmed)).toEqual([]);
        const first = messages.find(({ role }) => role === 'user');
        if (first) expect(trimmed).toContain(first);
        const newest = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant'));
        expect(trimmed.slice(-newest.length).map(withoutResult)).toEqual(newest.map(withoutResult));
        const texts = trimmed.map((message) => (message.role === 'tool' ? message.result : message.text));
        expect(texts.filter((one) => !one.isWellFormed())).toEqual([]);
      }),
    );
  });

  it('fits, unless only what must stay is left', () => {
    fc.assert(
      fc.property(conversation, fc.nat(1500), (messages, maxChars) => {
        const trimmed = trimContext(messages, maxChars);
        const least = trimContext(messages, 0);
        if (sizeOf(trimmed) > maxChars) expect(trimmed.map(withoutResult)).toEqual(least.map(withoutResult));
      }),
    );
  });

  it('counts what it left out', () => {
    fc.assert(
      fc.property(conversation, fc.nat(1500), (messages, maxChars) => {
        const trimmed = trimContext(messages, maxChars);
        const counts = trimmed.flatMap((message) =>
          message.role === 'user' ? (/^\[(\d+) earlier messages were/.exec(message.text)?.[1] ?? []) : [],
        );
        const [leftOut = 0] = counts.map(Number);
        expect(counts.length).toBeLessThanOrEqual(1);
        expect(trimmed.length - counts.length + leftOut).toBe(messages.length);
      }),
    );
  });
});

/** Results that do not follow, results apart, the turn that called for them. */
function brokenResults(messages: readonly ModelMessage[]): ModelMessage[] {
  let open: string[] = [];
  return messages.filter((message) => {
    if (message.role !== 'tool') {
      open = message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [];
      return false;
    }
    return !open.includes(message.toolCallId);
  });
}

function withoutResult(message: ModelMessage): ModelMessage {
  return message.role === 'tool' ? { ...message, result: '' } : message;
}

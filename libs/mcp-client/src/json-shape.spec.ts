import fc from 'fast-check';
import { JsonShape } from './json-shape.js';

const limits = { maxDepth: 5, maxNodes: 20 };

function read(text: string, { isEventStream = false, chunk = text.length || 1 } = {}) {
  const shape = new JsonShape(limits, isEventStream);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunk) {
    const exceeded = shape.read(bytes.subarray(at, at + chunk));
    if (exceeded) return exceeded;
  }
  return undefined;
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('JsonShape', () => {
  it.each([
    ['arrays', '['.repeat(6)],
    ['objects', '{"a":'.repeat(6)],
    ['both', '[{"a":[{"a":[{'],
  ])('finds %s that are too deep, however they arrive', (_, text) => {
    for (const chunk of [1, 3, text.length]) expect(read(text, { chunk })).toBe('maxDepth');
  });

  it('finds too many parts', () => {
    expect(read(`[${'[],'.repeat(9)}[]]`)).toBeUndefined();
    expect(read(`[${'[],'.repeat(10)}[]]`)).toBe('maxNodes');
  });

  it('counts nothing within texts', () => {
    expect(read(JSON.stringify(`${'['.repeat(100)}"\\${','.repeat(100)}`))).toBeUndefined();
  });

  it('resets its counts after a server-sent event, but not within plain JSON', () => {
    const event = `data: [${'[],'.repeat(9)}[]]\n\n`;
    expect(read(event.repeat(20), { isEventStream: true })).toBeUndefined();
    expect(read(event.repeat(20))).toBe('maxNodes');
  });

  it.each([
    ['a comment', ':]]]]]\n'],
    ['another field', 'id: ]]]]]\n'],
    ['a field whose name begins so', 'dat: ]]]]]\n'],
  ])('is not misled by %s in a stream of events', (_, line) => {
    for (const end of ['\n', '\r', '\r\n']) {
      const text = `data: [[[\n${line}data: [[[\n`.replaceAll('\n', end);
      for (const chunk of [1, 7]) expect(read(text, { isEventStream: true, chunk })).toBe('maxDepth');
    }
    expect(read(`${line}data: [[[]]]\n\n`, { isEventStream: true })).toBeUndefined();
  });

  it('counts the first line of a stream though it has a mark of its encoding', () => {
    expect(read(`\uFEFFdata: ${'['.repeat(6)}`, { isEventStream: true })).toBe('maxDepth');
  });

  it('is not misled by brackets that close nothing', () => {
    expect(read(`]]]]]${'['.repeat(6)}`)).toBe('maxDepth');
  });

  it('knows the depth of any JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 9 }), (text, chunk) => {
        const isDeep = depthOf(JSON.parse(text)) > limits.maxDepth;
        const shape = new JsonShape({ ...limits, maxNodes: Infinity }, false);
        const bytes = Buffer.from(text);
        let found: string | undefined;
        for (let at = 0; at < bytes.length && !found; at += chunk)
          found = shape.read(bytes.subarray(at, at + chunk));
        expect(found).toBe(isDeep ? 'maxDepth' : undefined);
      }),
    );
  });
});

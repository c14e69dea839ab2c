import type { BusEvent } from '@aos/contracts';
import { EventEntries } from './event-entries.js';

const event: BusEvent = {
  id: 'e1',
  event: 'run.started',
  created_at: '2026-01-01T00:00:00.000Z',
  data: { run: { id: 'r1' } },
  meta: { source: 'runs', position: 1, team_id: null },
};
const entry = JSON.stringify([event]);

describe('entries of event streams', () => {
  it('are parsed once for all who share the process, and cannot be changed by any', () => {
    const entries = new EventEntries(2);
    const [first] = entries.read(entry);
    expect(first).toEqual(event);
    expect(entries.read(entry)[0]).toBe(first);
    expect(() => Object.assign(first!.meta, { position: 2 })).toThrow(TypeError);
    expect(() => Object.assign(first!.data['run'] as object, { id: 'r2' })).toThrow(TypeError);
  });

  it('are not parsed where one who shares the process has written them', () => {
    const entries = new EventEntries(2);
    const written = { ...event, meta: { ...event.meta, run_seq: undefined } };
    expect(entries.write([written])).toEqual([entry]);
    expect(entries.read(entry)[0]).toBe(written);
    expect(() => Object.assign(written.meta, { position: 2 })).toThrow(TypeError);
  });

  it('are forgotten when as many came after them as are kept', () => {
    const entries = new EventEntries(2);
    const [first] = entries.read(entry);
    entries.read('[]');
    expect(entries.read(entry)[0]).toBe(first);
    entries.read('[ ]');
    expect(entries.read(entry)[0]).not.toBe(first);
  });

  it('are each reader’s own where nobody shares them', () => {
    const entries = new EventEntries();
    const [text] = entries.write([event]);
    const [first] = entries.read(text!);
    expect(first).toEqual(event);
    expect(first).not.toBe(event);
    expect(entries.read(entry)[0]).not.toBe(first);
    expect(() => Object.assign(first!.meta, { position: 2 })).not.toThrow();
  });

  it('are as many as it takes where one would be too large, in order', () => {
    const entries = new EventEntries();
    const events = Array.from({ length: 9 }, (_, position) => ({
      ...event,
      meta: { ...event.meta, position },
    }));
    const texts = entries.write(events, 700);
    expect(texts).toHaveLength(3);
    expect(Math.max(...texts.map((text) => Buffer.byteLength(text)))).toBeLessThanOrEqual(700);
    expect(texts.flatMap((text) => entries.read(text))).toEqual(events);
  });

  it('name an event that is too large by itself, without its data', () => {
    const large = { ...event, data: { result: 'ü'.repeat(1_000) } };
    const texts = new EventEntries().write([event, large, event], 1_000);
    const read = texts.flatMap((text) => new EventEntries().read(text));
    expect(read).toEqual([event, { ...large, data: {}, meta: { ...large.meta, without_data: true } }, event]);
  });

  it.each(['', 'text', '{}', '[1]', JSON.stringify([{ ...event, meta: {} }])])(
    'hold nothing where they are %s',
    (text) => {
      expect(new EventEntries().read(text)).toEqual([]);
    },
  );
});

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
    const text = entries.write([written]);
    expect(text).toBe(entry);
    expect(entries.read(text)[0]).toBe(written);
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
    const [first] = entries.read(entries.write([event]));
    expect(first).toEqual(event);
    expect(first).not.toBe(event);
    expect(entries.read(entry)[0]).not.toBe(first);
    expect(() => Object.assign(first!.meta, { position: 2 })).not.toThrow();
  });

  it.each(['', 'text', '{}', '[1]', JSON.stringify([{ ...event, meta: {} }])])(
    'hold nothing where they are %s',
    (text) => {
      expect(new EventEntries().read(text)).toEqual([]);
    },
  );
});

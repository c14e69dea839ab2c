import { newId } from './new-id.js';

describe('new ids', () => {
  const ids = Array.from({ length: 20_000 }, newId);

  it('are UUIDs of version 7 that tell when they were made', () => {
    for (const id of ids.slice(0, 100)) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Math.abs(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) - Date.now())).toBeLessThan(
        60_000,
      );
    }
  });

  it('are never the same, and sort as they were made', () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([...ids].sort());
  });

  it('have a random end: each digit comes about as often', () => {
    const counts = new Map<string, number>();
    for (const id of ids) counts.set(id.at(-1)!, (counts.get(id.at(-1)!) ?? 0) + 1);
    expect(counts.size).toBe(16);
    for (const count of counts.values())
      expect(Math.abs(count - ids.length / 16)).toBeLessThan(ids.length / 80);
  });
});

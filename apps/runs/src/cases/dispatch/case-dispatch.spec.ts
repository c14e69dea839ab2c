import { firstMessage } from './case-dispatch.js';

describe('the first message of a run with a case', () => {
  const row = {
    id: '0190a0b0-0000-7000-8000-000000000000',
    title: 'Invoice 4711',
    data: { note: '```\nnot the end\n```', total: 12.5 },
    labels: [{ key: 'region', value: 'north' }],
    rank: 0,
  };

  it('is the title, a blank line and the facts as fenced JSON', () => {
    const lines = firstMessage(row).split('\n');
    expect(lines.slice(0, 3)).toEqual(['Invoice 4711', '', '```json']);
    expect(lines.at(-1)).toBe('```');
    expect(JSON.parse(lines.slice(3, -1).join('\n'))).toEqual({
      case_id: row.id,
      data: row.data,
      labels: row.labels,
      priority: 'high',
    });
  });

  it('is no longer than the data where that is large, however deep', () => {
    let data: unknown = Array.from({ length: 10_000 }, () => 0);
    for (let depth = 0; depth < 90; depth += 1) data = [data];
    const message = firstMessage({ ...row, data });
    expect(message.length).toBeLessThan(JSON.stringify(data).length + 1_000);
    expect(JSON.parse(message.split('\n').at(-2)!)).toMatchObject({ case_id: row.id, data });
  });

  it('has no line but the last that ends the fence, whatever the data says', () => {
    const fences = firstMessage(row)
      .split('\n')
      .filter((line) => line.startsWith('```'));
    expect(fences).toEqual(['```json', '```']);
  });
});

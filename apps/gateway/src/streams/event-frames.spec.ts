import { randomUUID } from 'node:crypto';
import { eventFrame, type NumberedEvent } from './event-frames.js';

const event = (fields: Partial<NumberedEvent> = {}): NumberedEvent => ({
  seq: 12,
  id: randomUUID(),
  event: 'run.message.created',
  created_at: '2026-11-15T04:30:42.123Z',
  data: { run_id: randomUUID() },
  ...fields,
});

describe('eventFrame', () => {
  it('has number, name and the envelope, and ends with a blank line', () => {
    const given = event();
    const { seq: _seq, ...envelope } = given;
    expect(eventFrame(given).split('\n')).toEqual([
      'id: 12',
      'event: run.message.created',
      `data: ${JSON.stringify(envelope)}`,
      '',
      '',
    ]);
  });

  it('shows the envelope and nothing else', () => {
    const data = dataOf(eventFrame(event()));
    expect(Object.keys(data)).toEqual(['id', 'event', 'created_at', 'data']);
  });

  it.each(['\n', '\r', '\r\n', '\n\n', 'a\ndata: {}\n\nid: 99\n', '\u2028\u2029', '\u0000', '\ud800', '"\\'])(
    'is one frame with %j in a text',
    (text) => {
      const frame = eventFrame(event({ data: { text, [text]: 'as a name' } }));
      expect(frame.match(/\r|\n/g)).toHaveLength(4);
      expect(frame.endsWith('\n\n')).toBe(true);
      expect(dataOf(frame)['data']).toEqual({ text, [text]: 'as a name' });
    },
  );

  it('is one frame whatever the name of the event is', () => {
    const frame = eventFrame(event({ event: 'run.started\r\ndata: x\n\n' }));
    expect(frame.match(/\r|\n/g)).toHaveLength(4);
    expect(frame.split('\n')[1]).toBe('event: run.started data: x ');
  });
});

function dataOf(frame: string): Record<string, unknown> {
  return JSON.parse(frame.split('\n')[2]!.slice('data: '.length)) as Record<string, unknown>;
}

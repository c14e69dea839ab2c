import { streamRunEvents, streamTeamEvents } from '@aos/contracts';
import { resumingQuery } from './last-event-id.js';

describe('resumingQuery', () => {
  it.each(['0', '17', '007', '2147483647'])('%s resumes a run behind that event', (header) => {
    expect(resumingQuery(streamRunEvents, { after: '3' }, header)).toEqual({ after: header });
  });

  it.each(['0', '9007199254740'])('%s resumes a feed behind that cursor, for the same types', (header) => {
    const query = { types: 'run.completed' };
    expect(resumingQuery(streamTeamEvents, query, header)).toEqual({ ...query, after: header });
  });

  it('leaves the query as it is where there is no header', () => {
    expect(resumingQuery(streamRunEvents, { after: '3' }, undefined)).toEqual({ after: '3' });
  });

  it.each(['', ' ', '-1', '1.5', '1e3', '0x10', '2147483648', '9'.repeat(400), 'abc', '1, 2', 'NaN', '٣'])(
    'refuses %j, by name',
    (header) => {
      expect(() => resumingQuery(streamRunEvents, {}, header)).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          message: expect.stringContaining('Last-Event-ID') as string,
        }),
      );
    },
  );

  it('refuses several', () => {
    expect(() => resumingQuery(streamRunEvents, {}, ['1', '2'])).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});

import { AppError, streamRunEvents } from '@aos/contracts';

/** The number after which a client resumes, as it tells in `Last-Event-ID`; it wins over `after` of the query. */
export function lastEventId(header: string | string[]): number {
  const { data } = streamRunEvents.query.safeParse({ after: header });
  if (!data) {
    throw new AppError('invalid_request', 'Last-Event-ID: must be the number of an event, 0 or more.');
  }
  return data.after;
}

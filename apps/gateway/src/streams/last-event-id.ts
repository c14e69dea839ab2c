import { AppError, type Operation } from '@aos/contracts';

/** The query of a stream: where a client resumes, as it tells in `Last-Event-ID`, wins over `after`. */
export function resumingQuery(
  { query: schema }: Pick<Operation, 'query'>,
  query: Readonly<Record<string, unknown>>,
  header: string | string[] | undefined,
): Record<string, unknown> {
  if (header === undefined) return { ...query };
  if (!schema.safeParse({ after: header }).success) {
    throw new AppError('invalid_request', 'Last-Event-ID: must be the number of an event, 0 or more.');
  }
  return { ...query, after: header };
}

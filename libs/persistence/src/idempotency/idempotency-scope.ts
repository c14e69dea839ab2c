import { createHash } from 'node:crypto';
import type { Operation, OperationEnvelope } from '@aos/contracts';

export interface IdempotencyScope {
  /** Names the record: team, operation, path and key; where the answer holds a secret, the credential too. */
  readonly scope: string;
  /** Tells one request body from another, whatever the order of its fields; no body is an empty one. */
  readonly fingerprint: string;
  /** For Postgres' advisory locks, which are numbers. */
  readonly lockId: string;
}

export function idempotencyScope(
  operation: Operation,
  envelope: OperationEnvelope,
  key: string,
): IdempotencyScope {
  const { teamId, credentialId } = envelope.principal;
  const named = [teamId, operation.operationId, envelope.params, key];
  // A secret is for the credential that asked for it, not for another of the team that knows the key.
  const digest = sha256(canonicalJson(operation.secrets.response ? [...named, credentialId] : named));
  return {
    scope: digest.toString('hex'),
    fingerprint: sha256(canonicalJson(contentOf(envelope))).toString('hex'),
    lockId: digest.readBigInt64BE(0).toString(),
  };
}

/** Of a file its bytes count and its name, not where it was put this time. */
function contentOf({ body = {}, upload }: OperationEnvelope): unknown {
  return upload ? [body, upload.sha256, upload.name ?? null] : body;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** JSON with sorted keys. Depth is bounded by the gateway. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

import type { EgressErrorKind } from '@aos/egress';

const byKind: Readonly<Record<Exclude<EgressErrorKind, 'aborted'>, string>> = {
  forbidden: 'Use a public address, or have the operator allow this one (EGRESS_ALLOW_CIDRS).',
  timeout: 'Answer at once and do the work afterwards, and check that the receiver can be reached.',
  connect: 'Check the host and the port of the address, and that the receiver runs.',
  reset: 'Look at the logs of the receiver and of the proxy before it.',
  protocol: 'Check that the address is that of an HTTP server.',
};

const byStatus: readonly (readonly [applies: (status: number) => boolean, advice: string])[] = [
  [(status) => status < 400, 'Redirects are not followed: give the webhook the address itself.'],
  [(status) => [401, 403].includes(status), 'Check how the receiver verifies the signature.'],
  [(status) => [404, 405].includes(status), 'Check the path of the address, and that it takes POST.'],
  [(status) => status === 410, 'The webhook is disabled. Enable it when the receiver is back.'],
  [(status) => status === 413, 'Have the receiver, and the proxy before it, take larger bodies.'],
  [(status) => status === 429, 'Later attempts wait as long as its Retry-After says, up to an hour.'],
  [(status) => status < 500, 'Look at the answer of the receiver.'],
  [() => true, 'Look at the logs of the receiver.'],
];

/** Advice for the owner of a receiver after a failed attempt. */
export function adviceForFailure(kind: Exclude<EgressErrorKind, 'aborted'>): string {
  return byKind[kind];
}

/** The same when it answered with something else than 2xx. */
export function adviceForStatus(status: number): string {
  return byStatus.find(([applies]) => applies(status))![1];
}

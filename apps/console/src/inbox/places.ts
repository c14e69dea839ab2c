import type { HumanRequest, Run } from '@aos/client';

/**
 * The requests that have been shown, as they are known last, and those that are pending now. One that is settled keeps its
 * place: nothing else slides under the hand of whoever is about to press a button.
 */
export function withPending(
  shown: readonly HumanRequest[],
  pending: readonly HumanRequest[],
): readonly HumanRequest[] {
  const known = new Map(shown.map((request) => [request.request_id, request]));
  const news = pending.filter((request) => {
    const last = known.get(request.request_id);
    // A list that was read before an answer does not take the answer back.
    return (
      !last || (last !== request && last.status === 'pending' && last.votes.length <= request.votes.length)
    );
  });
  if (news.length === 0) return shown;
  for (const request of news) known.set(request.request_id, request);
  return [...known.values()];
}

/** The same with one that was answered here. */
export function withAnswered(
  shown: readonly HumanRequest[],
  answered: HumanRequest,
): readonly HumanRequest[] {
  return shown.map((request) => (request.request_id === answered.request_id ? answered : request));
}

type Origin = Pick<Run, 'agent_name' | 'title' | 'case_title'>;

/** Whether a request is about what somebody looks for: a part of what its card says, whatever the case. */
export function isAbout(
  { title, assignee }: Pick<HumanRequest, 'title' | 'assignee'>,
  run: Origin | undefined,
  sought: string,
): boolean {
  const wanted = sought.trim().toLowerCase();
  return [title, assignee, run?.agent_name, run?.title, run?.case_title].some((text) =>
    (text ?? '').toLowerCase().includes(wanted),
  );
}

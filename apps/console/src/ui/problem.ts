import { ApiError } from '@aos/client';

/** Describes a failure and its remedy. */
export interface Problem {
  readonly title: string;
  readonly advice: string;
}

const byCode: Readonly<Record<string, Problem>> = {
  invalid_token: {
    title: 'The key is not accepted any more.',
    advice: 'It was revoked or has expired. Sign in with another one.',
  },
  insufficient_scope: {
    title: 'This key may not do that.',
    advice: 'Sign in with a key that has the scope named here, or have one made under Keys.',
  },
  entitlement_exceeded: {
    title: 'The plan of the team does not allow more.',
    advice: 'See Usage for its limits. An administrator can set another plan.',
  },
  budget_exceeded: {
    title: 'The budget of this month is used up.',
    advice: 'Raise it under Usage, or wait for the next month.',
  },
  not_found: { title: 'It is not there.', advice: 'It may have been deleted, or the address is incomplete.' },
  rate_limited: { title: 'Too many requests.', advice: 'Wait a moment and try again.' },
  not_configured: {
    title: 'This installation is not set up for it.',
    advice: 'An operator has to set it up; docs/configuration.md says how.',
  },
  unavailable: { title: 'A part of the service is away.', advice: 'It usually comes back within seconds.' },
};

interface DetailedProblem extends Problem {
  readonly detail: string;
}

/** Why something that a person did was not done; unlike a question, it is not repeated by the page. */
export function problemOfAction(error: unknown): DetailedProblem {
  const problem = problemOf(error);
  if (!isConnectionError(error)) return problem;
  return { ...problem, advice: 'Once it is back, look whether it was done, and else do it again.' };
}

export function problemOf(error: unknown): DetailedProblem {
  if (error instanceof ApiError) {
    const known = error.code === null ? undefined : byCode[error.code];
    const request = error.requestId === null ? '' : ` (request ${error.requestId})`;
    if (known) return { ...known, detail: error.message + request };
    if (error.status >= 500) {
      return {
        title: 'The service failed to answer.',
        advice: 'Try again; if it stays, give the operator the number of the request.',
        detail: error.message + request,
      };
    }
    return {
      title: 'That did not work.',
      advice: 'Mend what is named and try again.',
      detail: error.message,
    };
  }
  if (isConnectionError(error)) {
    return {
      title: 'The service is away.',
      advice: 'The page tries again by itself.',
      detail: error.message,
    };
  }
  const detail = error instanceof Error ? error.message : String(error);
  return { title: 'Something went wrong on this page.', advice: 'Reload it; nothing is lost.', detail };
}

function isConnectionError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ConnectionError';
}

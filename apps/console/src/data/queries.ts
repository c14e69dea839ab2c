import { ApiError } from '@aos/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { tellIfUnauthorized } from '../session/unauthorized';

/** What the pages know of the service. It is fresh until an event says otherwise, so nothing is asked for by the clock. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: tellIfUnauthorized }),
  mutationCache: new MutationCache({ onError: tellIfUnauthorized }),
  defaultOptions: {
    queries: {
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      // The client tries again itself; what is refused stays refused.
      retry: (count, error) => !(error instanceof ApiError) && count < 20,
      retryDelay: (count) => Math.min(500 * 2 ** count, 5_000),
    },
    mutations: { retry: false },
  },
});

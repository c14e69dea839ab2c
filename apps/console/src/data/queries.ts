import { ApiError } from '@aos/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { tellIfUnauthorized } from '../session/unauthorized';

/** Queries stay fresh until an event invalidates them; nothing polls. */
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

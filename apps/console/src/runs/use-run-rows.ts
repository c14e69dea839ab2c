import type { InputOf, Run } from '@aos/client';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session-context';
import type { RunSearch } from './run-search';

export const pageSize = 100;

/** The rows that are in sight, and some others, page by page: however many runs there are, only those are asked for. */
export function useRunRows(search: RunSearch, first: number, last: number, others: readonly number[]) {
  const client = useClient();
  const input = inputOf(search);
  const page = (number: number) => ({
    queryKey: ['runs', input, number] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      client.listRuns({ ...input, limit: pageSize, offset: number * pageSize }, { signal }),
  });
  const head = useQuery({ ...page(0), placeholderData: keepPreviousData });
  const numbers = pagesOf(first, last, others);
  const later = useQueries({ queries: numbers.map(page) });
  const rowAt = (index: number): Run | undefined => {
    const number = Math.floor(index / pageSize);
    const rows = number === 0 ? head.data : later[numbers.indexOf(number)]?.data;
    return rows?.data[index % pageSize];
  };
  return { head, total: head.data?.total ?? 0, rowAt };
}

/** All but the first page, which is always there. */
function pagesOf(first: number, last: number, others: readonly number[]): number[] {
  const numbers = new Set(others.map((index) => Math.floor(index / pageSize)));
  for (let number = Math.floor(first / pageSize); number <= Math.floor(last / pageSize); number += 1) {
    numbers.add(number);
  }
  numbers.delete(0);
  return [...numbers];
}

function inputOf({ status, agent, source, search, issues }: RunSearch): InputOf<'listRuns'> {
  return {
    ...(status ? { status } : {}),
    ...(agent ? { agent_id: agent } : {}),
    ...(source ? { source } : {}),
    ...(search ? { search } : {}),
    ...(issues ? { has_issues: true } : {}),
  } as InputOf<'listRuns'>;
}

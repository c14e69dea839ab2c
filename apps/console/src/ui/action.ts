import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { useNotices } from './notices';

interface ActionOptions<Input, Output> {
  /** Queries to invalidate after success. */
  readonly stale?: readonly QueryKey[];
  readonly said?: string | ((output: Output, input: Input) => string);
  readonly onDone?: (output: Output, input: Input) => void;
}

/**
 * Something that changes the service. Nothing is shown as done before the service has said so; a refusal is told. What is
 * being done already is not begun again: the second click of two comes before a button can be seen as disabled.
 */
export function useAction<Input, Output>(
  act: (input: Input) => Promise<Output>,
  { stale = [], said, onDone }: ActionOptions<Input, Output> = {},
) {
  const queries = useQueryClient();
  const { say, complain } = useNotices();
  const atWork = useRef(new Set<string>());
  const mutation = useMutation({
    mutationFn: act,
    onSuccess: (output, input) => {
      if (said !== undefined) say(typeof said === 'string' ? said : said(output, input));
      onDone?.(output, input);
    },
    onError: complain,
    onSettled: (_output, _error, input) => {
      atWork.current.delete(nameOf(input));
      // Also what failed may have been done, or a part of it.
      for (const queryKey of stale) void queries.invalidateQueries({ queryKey });
    },
  });
  const { mutate: begin } = mutation;
  const mutate = useCallback(
    (input: Input) => {
      const name = nameOf(input);
      if (atWork.current.has(name)) return;
      atWork.current.add(name);
      begin(input);
    },
    [begin],
  );
  return { ...mutation, mutate };
}

/** Files have nothing that JSON would tell them apart by. */
function nameOf(input: unknown): string {
  const told = (_key: string, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value;
  return JSON.stringify(input, told) ?? '';
}

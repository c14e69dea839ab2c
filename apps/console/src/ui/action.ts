import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useNotices } from './notices';

interface ActionOptions<Input, Output> {
  /** What is asked for again once the service has said yes. */
  readonly stale?: readonly QueryKey[];
  readonly said?: string | ((output: Output, input: Input) => string);
  readonly onDone?: (output: Output, input: Input) => void;
}

/** Something that changes the service. Nothing is shown as done before the service has said so; a refusal is told. */
export function useAction<Input, Output>(
  act: (input: Input) => Promise<Output>,
  { stale = [], said, onDone }: ActionOptions<Input, Output> = {},
) {
  const queries = useQueryClient();
  const { say, complain } = useNotices();
  return useMutation({
    mutationFn: act,
    onSuccess: (output, input) => {
      for (const queryKey of stale) void queries.invalidateQueries({ queryKey });
      if (said !== undefined) say(typeof said === 'string' ? said : said(output, input));
      onDone?.(output, input);
    },
    onError: complain,
  });
}

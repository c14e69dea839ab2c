import type { TeamEvent } from '@aos/client';
import type { QueryKey } from '@tanstack/react-query';

/** A run that only gets on is told of by its own stream, to those who look at it. */
const progress: readonly string[] = ['run.message.created', 'run.tool_call.completed', 'run.file.created'];

/** Returns the query keys that an event invalidates. */
export function staleKeys({ event, data }: Pick<TeamEvent, 'event' | 'data'>): QueryKey[] {
  const facts = data as Readonly<Record<string, string | undefined>>;
  const [group] = event.split('.');
  switch (group) {
    case 'run':
      return progress.includes(event)
        ? []
        : [
            ...[['runs'], ['usage'], ['run', facts['run_id']]],
            ...(facts['agent_id'] ? [['agent', facts['agent_id'], 'scores']] : []),
            // The displayed status of a case follows from its run. Events of runs do not name the queue; unobserved
            // queries cost nothing.
            ...(facts['case_id'] ? [['case', facts['case_id']], ['queue']] : []),
          ];
    case 'human_request':
      // The run that asks may work on a case, which then needs an answer too.
      return [['inbox'], ['runs'], ['run', facts['run_id']], ['case'], ['queue']];
    case 'queue':
      return [
        ...[['queues'], ['queue', facts['queue_id']], ['case', facts['case_id']]],
        ...(facts['run_id'] ? [['run', facts['run_id']]] : []),
      ];
    case 'assignment':
      return [['agents'], ['agent', facts['agent_id']]];
    case 'connection':
      return [['connections']];
    case 'budget':
      return [['usage']];
    default:
      return [];
  }
}

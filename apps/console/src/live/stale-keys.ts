import type { TeamEvent } from '@aos/client';
import type { QueryKey } from '@tanstack/react-query';

/** What an event has made old. The keys are those that the pages ask by. */
export function staleKeys({ event, data }: Pick<TeamEvent, 'event' | 'data'>): QueryKey[] {
  const facts = data as Readonly<Record<string, string | undefined>>;
  const [group] = event.split('.');
  switch (group) {
    case 'run':
      return event === 'run.message.created' ||
        event === 'run.tool_call.completed' ||
        event === 'run.file.created'
        ? []
        : [['runs'], ['usage'], ...(facts['agent_id'] ? [['agent', facts['agent_id'], 'scores']] : [])];
    case 'human_request':
      return [['inbox'], ['runs']];
    case 'queue':
      return [['queues'], ['queue', facts['queue_id']], ['case', facts['case_id']]];
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

import type { HumanRequest, Run } from '@aos/client';
import type { ReactNode } from 'react';
import { RequestFacts, RequestRecord } from '../inbox/request-facts';
import { RequestForm } from '../inbox/request-form';
import { JsonView } from '../ui/json-view';
import { Markdown } from '../ui/markdown';
import { Status } from '../ui/status';
import { Clock } from '../ui/time';
import { SubRun } from './sub-run';
import type { Entry } from './timeline';
import { Fall, type Span } from './fall';

const names: Readonly<Record<Entry['kind'], string>> = {
  user: 'Message',
  system: 'System',
  assistant: 'Agent',
  thinking: 'Thought',
  tool: 'Tool',
  wait: 'Wait',
};

interface EntryProps {
  readonly entry: Entry;
  readonly run: Run;
  readonly span: Span;
  /** How a run within this one is shown. */
  readonly nested: (run: Run) => ReactNode;
}

export function EntryView({ entry, run, span, nested }: EntryProps) {
  const { kind, call, request, text } = entry;
  return (
    <li className={`entry ${kind}`}>
      <div>
        <div className="entry-head">
          <strong>{call?.name ?? names[kind]}</strong>
          {entry.result?.error !== undefined && <Status of="failed" />}
          <Clock at={entry.at} />
        </div>
        <div className="entry-body stack tight">
          {text !== undefined && text !== '' && <Markdown text={text} />}
          {call && <CallView entry={entry} run={run} nested={nested} />}
          {request && <RequestView request={request} />}
        </div>
      </div>
      <Fall steps={entry.steps} span={span} />
    </li>
  );
}

function CallView({ entry, run, nested }: Omit<EntryProps, 'span'>) {
  const { call, result, request, at } = entry;
  if (!call) return null;
  return (
    <>
      {!request && (
        <JsonView name="Arguments" value={call.arguments} open={Object.keys(call.arguments).length > 0} />
      )}
      {call.name === 'call_agent' && (
        <SubRun
          parent={run}
          agentId={String(call.arguments['agent_id'] ?? '')}
          result={result?.result}
          since={at}
          nested={nested}
        />
      )}
      {result?.error !== undefined ? (
        <div className="banner bad">{result.error}</div>
      ) : (
        result && !request && <JsonView name="Result" value={result.result} />
      )}
      {!result && !request && ['running', 'pending'].includes(run.status) && (
        <span className="small quiet">at work…</span>
      )}
    </>
  );
}

function RequestView({ request }: { request: HumanRequest }) {
  return (
    <div className="card padded stack tight">
      <h3>{request.title}</h3>
      <RequestFacts request={request} />
      <RequestRecord request={request} />
      {request.status === 'pending' && <RequestForm request={request} />}
    </div>
  );
}

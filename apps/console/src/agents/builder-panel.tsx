import { ApiError, type Build, type BuilderRun } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { Diff } from '../ui/code';
import { TextArea } from '../ui/controls';
import { Card } from '../ui/page';
import { AnswerForm } from '../ui/question-fields';
import { Failure } from '../ui/states';
import { Status } from '../ui/status';
import { useUnsaved } from '../ui/unsaved';
import { configText } from './config-text';

/** No event tells of builder runs, which take seconds; only while one is at work it is looked at. */
const lookMs = 700;
const atWork: readonly BuilderRun['status'][] = ['pending', 'running'];

interface BuilderPanelProps {
  readonly build: Build;
  readonly onAccepted: (buildId: string) => void;
}

/** Says what is wanted, answers what the builder asks, and takes or leaves its proposal. */
export function BuilderPanel({ build, onAccepted }: BuilderPanelProps) {
  const client = useClient();
  const queryKey = ['agent', build.agent_id, 'builder', build.build_id];
  const query = useQuery({
    queryKey,
    queryFn: async () => {
      try {
        return (await client.getRevisionBuilderRun({ build_id: build.build_id })).builder_run;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    refetchInterval: ({ state }) => (state.data && atWork.includes(state.data.status) ? lookMs : false),
  });
  const run = query.data;
  const isOpen = run && ['pending', 'running', 'waiting', 'awaiting_review'].includes(run.status);
  return (
    <Card title="Builder" actions={run && <Status of={run.status} />}>
      <div className="stack">
        {query.isError && <Failure error={query.error} />}
        {run && <p className="prose">“{run.prompt}”</p>}
        {run && atWork.includes(run.status) && (
          <p className="quiet" role="status">
            {run.progress.phase}, {run.progress.percent} percent
          </p>
        )}
        {run?.status === 'waiting' && <BuilderQuestions run={run} stale={queryKey} />}
        {run?.status === 'awaiting_review' && <Proposal run={run} build={build} onAccepted={onAccepted} />}
        {run?.error && <div className="banner bad">{run.error.message}</div>}
        {query.isSuccess && !isOpen && <BuilderPrompt build={build} stale={queryKey} />}
      </div>
    </Card>
  );
}

function BuilderPrompt({ build, stale }: { build: Build; stale: readonly unknown[] }) {
  const client = useClient();
  const [prompt, setPrompt] = useState('');
  useUnsaved(prompt.trim() !== '', { what: 'What you wrote for the builder' });
  const generate = useAction(client.generateRevision, { stale: [stale], onDone: () => setPrompt('') });
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        generate.mutate({ build_id: build.build_id, ...(prompt.trim() === '' ? {} : { prompt }) });
      }}
    >
      <TextArea
        rows={3}
        aria-label="What the agent is to do"
        placeholder="Say what the agent is to do, when, and how one sees that it is done. The builder writes the procedure."
        value={prompt}
        onChange={setPrompt}
      />
      <div>
        <button type="submit" className="button" disabled={generate.isPending}>
          {prompt.trim() === '' ? 'Improve what is there' : 'Write a procedure'}
        </button>
      </div>
    </form>
  );
}

function BuilderQuestions({ run, stale }: { run: BuilderRun; stale: readonly unknown[] }) {
  const client = useClient();
  const resume = useAction(client.resumeBuilderRun, { stale: [stale] });
  return (
    <AnswerForm
      questions={run.pending_user_questions?.questions ?? []}
      isBusy={resume.isPending}
      onAnswer={(answers) => resume.mutate({ builder_run_id: run.builder_run_id, answers })}
    />
  );
}

function Proposal({ run, build, onAccepted }: BuilderPanelProps & { readonly run: BuilderRun }) {
  const client = useClient();
  const stale = [['agent', build.agent_id], ['agents']];
  const accept = useAction(client.acceptRevision, {
    stale,
    said: ({ build: taken }) => `The proposal is in revision ${taken.revision_number}.`,
    onDone: ({ build_id: buildId }) => onAccepted(buildId),
  });
  const discard = useAction(client.discardRevision, { stale, said: 'The proposal is dropped.' });
  const isBusy = accept.isPending || discard.isPending;
  const input = { build_id: build.build_id };
  return (
    <div className="stack">
      {run.proposed_config && (
        <Diff
          before={configText(build.config)}
          after={configText(run.proposed_config)}
          label="Changes that the builder proposes"
        />
      )}
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={isBusy}
          onClick={() => accept.mutate(input)}
        >
          Accept
        </button>
        <button type="button" className="button" disabled={isBusy} onClick={() => discard.mutate(input)}>
          Discard
        </button>
        <span className="hint">
          {build.status === 'draft'
            ? 'It becomes this draft.'
            : 'It becomes a new draft; nothing goes live by itself.'}
        </span>
      </div>
    </div>
  );
}

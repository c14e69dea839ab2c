import type { Budget } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { Meter } from '../ui/chart';
import { Checkbox } from '../ui/controls';
import { TextField } from '../ui/field';
import { count } from '../ui/format';
import { Card } from '../ui/page';
import { Loaded } from '../ui/states';

export function BudgetCard() {
  const client = useClient();
  const [isEditing, setEditing] = useState(false);
  const mayWrite = useMay()('team:admin');
  const query = useQuery({ queryKey: ['usage', 'budget'], queryFn: () => client.getBudget({}) });
  return (
    <Card
      title="Budget"
      actions={
        mayWrite &&
        query.data &&
        !isEditing && (
          <button type="button" className="button small" onClick={() => setEditing(true)}>
            Change
          </button>
        )
      }
    >
      <Loaded query={query}>
        {(budget) =>
          isEditing ? (
            <BudgetForm budget={budget} onClose={() => setEditing(false)} />
          ) : (
            <BudgetView budget={budget} />
          )
        }
      </Loaded>
    </Card>
  );
}

function BudgetView({ budget }: { budget: Budget }) {
  const { max_tokens: tokens, max_runs: runs, used, on_reached: onReached, state } = budget;
  if (tokens === null && runs === null) {
    return (
      <p className="quiet">
        No budget is set. With one, the team is told at 80 percent and at the end, and can have further runs
        refused.
      </p>
    );
  }
  return (
    <div className="stack">
      {state !== 'ok' && (
        <div className={`banner ${state === 'reached' ? 'bad' : 'warn'}`}>
          {state === 'reached' ? 'It is used up.' : 'More than 80 percent is used.'}
        </div>
      )}
      {tokens !== null && <UsedShare name="Tokens" used={used.tokens} most={tokens} />}
      {runs !== null && <UsedShare name="Runs" used={used.runs} most={runs} />}
      <p className="small quiet">
        {onReached === 'stop'
          ? 'At the end no further run starts.'
          : 'At the end the team is told; runs go on.'}
      </p>
    </div>
  );
}

function UsedShare({ name, used, most }: { name: string; used: number; most: number }) {
  return (
    <div className="stack tight">
      <div className="row between">
        <span>{name}</span>
        <span className="quiet">
          {count(used)} of {count(most)}
        </span>
      </div>
      <Meter used={used} most={most} label={`${name} of the budget`} />
    </div>
  );
}

function BudgetForm({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const client = useClient();
  const [tokens, setTokens] = useState(budget.max_tokens?.toString() ?? '');
  const [runs, setRuns] = useState(budget.max_runs?.toString() ?? '');
  const [onReached, setOnReached] = useState(budget.on_reached);
  const save = useAction(client.putBudget, {
    stale: [['usage']],
    said: 'The budget is set.',
    onDone: onClose,
  });
  const limit = (text: string) => (text === '' ? null : Number(text));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ max_tokens: limit(tokens), max_runs: limit(runs), on_reached: onReached });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label="Tokens in a month"
        hint="Empty: without a limit."
        type="number"
        min={1}
        value={tokens}
        onChange={setTokens}
      />
      <TextField
        label="Runs in a month"
        hint="Empty: without a limit."
        type="number"
        min={1}
        value={runs}
        onChange={setRuns}
      />
      <Checkbox checked={onReached === 'stop'} onChange={(stops) => setOnReached(stops ? 'stop' : 'notify')}>
        Start no run when it is used up
      </Checkbox>
      <div className="row">
        <button type="submit" className="button primary" disabled={save.isPending}>
          Save
        </button>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useAgents } from '../data/lookups/use-agents';
import { useMay } from '../session/session-context';
import { Checkbox, Select } from '../ui/controls';
import { Page } from '../ui/page';
import { words } from '../ui/format';
import { RunTable } from './run-table';
import { sourceChoices, statusChoices, type RunSearch } from './run-search';
import { StartRunDialog } from './start-run-dialog';
import './runs.css';

export function RunsPage() {
  const search = useSearch({ from: '/runs' });
  const navigate = useNavigate({ from: '/runs' });
  const [isStarting, setStarting] = useState(false);
  const may = useMay();
  // Whom to start is chosen from a list.
  const mayStart = may('runs:write') && may('agents:read');
  const change = (part: { [K in keyof RunSearch]?: RunSearch[K] | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...part }) as RunSearch, replace: true });
  return (
    <Page
      title="Runs"
      intro="What your agents do and have done, newest first. The list follows what happens."
      actions={
        mayStart && (
          <button type="button" className="button primary" onClick={() => setStarting(true)}>
            Start a run
          </button>
        )
      }
    >
      <Filters search={search} onChange={change} />
      <RunTable search={search} onStart={mayStart ? () => setStarting(true) : undefined} />
      {isStarting && <StartRunDialog onClose={() => setStarting(false)} />}
    </Page>
  );
}

interface FiltersProps {
  readonly search: RunSearch;
  readonly onChange: (part: { [K in keyof RunSearch]?: RunSearch[K] | undefined }) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  const { data: agents = [] } = useAgents();
  const chosen = (value: string) => (value === '' ? undefined : value);
  return (
    <div className="row" role="search">
      <input
        className="input run-search"
        type="search"
        aria-label="Search by title"
        placeholder="Search by title"
        defaultValue={search.search ?? ''}
        onChange={({ target }) => onChange({ search: chosen(target.value.trim()) })}
      />
      <Select
        aria-label="Status"
        options={[['', 'Any status'], ...statusChoices.map((status) => [status, words(status)] as const)]}
        value={search.status ?? ''}
        onChange={(status) => onChange({ status: chosen(status) })}
      />
      <Select
        aria-label="Agent"
        options={[['', 'Any agent'], ...agents.map(({ agent_id, name }) => [agent_id, name] as const)]}
        value={search.agent ?? ''}
        onChange={(agent) => onChange({ agent: chosen(agent) })}
      />
      <Select
        aria-label="Source"
        options={[['', 'Any source'], ...sourceChoices.map((source) => [source, words(source)] as const)]}
        value={search.source ?? ''}
        onChange={(source) => onChange({ source: chosen(source) })}
      />
      <Checkbox
        className="row"
        checked={search.issues ?? false}
        onChange={(issues) => onChange({ issues: issues || undefined })}
      >
        With issues
      </Checkbox>
    </div>
  );
}

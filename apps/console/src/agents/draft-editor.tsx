import type { Build, Connection } from '@aos/client';
import { useId, useState } from 'react';
import { useAgents } from '../data/lookups/use-agents';
import { useCatalog, useConnections } from '../data/lookups/use-connections';
import { useMay } from '../session/session-context';
import { ChoiceList, type Choice } from '../ui/choice-list';
import { Code } from '../ui/code';
import { FieldError, TextField } from '../ui/field';
import { words } from '../ui/format';
import { Loaded } from '../ui/states';
import { LimitFields } from './limit-fields';
import type { DraftInHand } from './use-draft';

/** These tools are there for every run. */
const always: readonly string[] = ['human', 'cases'];

interface DraftEditorProps {
  readonly build: Build;
  readonly inHand: DraftInHand;
}

/** All of a draft that a person may change. */
export function DraftEditor({ build, inHand }: DraftEditorProps) {
  const { draft, isChanged, isSaving, errors, change, send } = inHand;
  const mayReadConnections = useMay()('connections:read');
  return (
    <form
      className="stack"
      aria-label="Draft"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextField
        label="Model"
        spellCheck={false}
        value={draft.model}
        error={errors.model}
        onChange={(model) => change({ model })}
      />
      <Procedure
        // As the service has it: what is typed is in the editor already.
        stored={build.config.data.input}
        shown={draft.procedure}
        error={errors.procedure}
        onChange={(procedure) => change({ procedure })}
      />
      {mayReadConnections ? (
        <>
          <ToolSets
            chosen={draft.plugins}
            error={errors.plugins}
            onChange={(plugins) => change({ plugins })}
          />
          <Connections
            chosen={draft.connections}
            error={errors.connections}
            onChange={(connections) => change({ connections })}
          />
        </>
      ) : (
        <p className="hint">
          Tools and connections stay as they are: your key does not allow you to see them (scope
          connections:read).
        </p>
      )}
      <SubAgents
        agentId={build.agent_id}
        chosen={draft.subAgents}
        error={errors.subAgents}
        onChange={(subAgents) => change({ subAgents })}
      />
      <LimitFields limits={draft.limits} error={errors.limits} onChange={(limits) => change({ limits })} />
      <div className="row">
        <button type="submit" className="button" disabled={!isChanged || isSaving}>
          {isSaving ? 'Saving…' : 'Save the draft'}
        </button>
        {isChanged && <span className="hint">Not saved yet.</span>}
      </div>
    </form>
  );
}

interface ProcedureProps {
  readonly stored: string;
  readonly shown: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
}

/** The editor keeps its text and its cursor, until the text is another one that was not typed here. */
function Procedure({ stored, shown, error, onChange }: ProcedureProps) {
  const id = useId();
  const [inEditor, setInEditor] = useState({ text: stored, first: stored, version: 0 });
  if (shown === stored && stored !== inEditor.text) {
    setInEditor({ text: stored, first: stored, version: inEditor.version + 1 });
  }
  return (
    <div className="field">
      <Code
        key={inEditor.version}
        value={inEditor.first}
        label="Procedure"
        onChange={(text) => {
          setInEditor((before) => ({ ...before, text }));
          onChange(text);
        }}
      />
      <FieldError id={id} error={error} />
    </div>
  );
}

interface PartProps<Chosen> {
  readonly chosen: Chosen;
  readonly error: string | undefined;
  readonly onChange: (chosen: Chosen) => void;
}

function ToolSets({ chosen, error, onChange }: PartProps<readonly string[] | undefined>) {
  const query = useCatalog();
  return (
    <Loaded query={query} lines={2}>
      {({ plugins }) => {
        const sets = plugins.filter(({ type }) => type === 'tool');
        const choices = sets.map(({ name, title, configured }): Choice => {
          const hint = always.includes(name) ? 'always there' : configured ? undefined : 'not set up';
          return { value: name, label: title, hint, always: always.includes(name) };
        });
        return (
          <div className="stack tight">
            <label className="choice">
              <input
                type="checkbox"
                checked={chosen === undefined}
                onChange={({ target }) => onChange(target.checked ? undefined : sets.map(({ name }) => name))}
              />
              <span>
                All tools <span className="small quiet">also those that are added later</span>
              </span>
            </label>
            {chosen === undefined ? (
              <FieldError id="tools-error" error={error} />
            ) : (
              <ChoiceList label="Tools" choices={choices} chosen={chosen} error={error} onChange={onChange} />
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

function Connections({ chosen, error, onChange }: PartProps<readonly string[]>) {
  const query = useConnections();
  const choiceOf = ({ connection_id: value, name, status }: Connection): Choice => ({
    value,
    label: name,
    hint: status === 'active' ? undefined : words(status).toLowerCase(),
  });
  return (
    <Loaded query={query} lines={1}>
      {(connections) =>
        connections.length === 0 && chosen.length === 0 ? (
          <p className="hint">
            Connections: there are none yet. Make one under Connections, then give it here.
          </p>
        ) : (
          <ChoiceList
            label="Connections"
            hint="Their tools are there beside the others."
            choices={connections.map(choiceOf)}
            {...{ chosen, error, onChange }}
          />
        )
      }
    </Loaded>
  );
}

function SubAgents({ agentId, chosen, error, onChange }: PartProps<readonly string[]> & { agentId: string }) {
  const query = useAgents();
  return (
    <Loaded query={query} lines={1}>
      {(agents) => (
        <ChoiceList
          label="Agents that it may call"
          hint={chosen.length === 0 ? 'None is chosen: it may call any agent of the team.' : 'Only these.'}
          choices={agents.map(({ agent_id: value, name }) => ({
            value,
            label: name,
            hint: value === agentId ? 'itself' : undefined,
          }))}
          {...{ chosen, error, onChange }}
        />
      )}
    </Loaded>
  );
}

import { enumValues, type Rubric } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { DeleteButton } from '../ui/confirm';
import { SelectField, TextAreaField, TextField } from '../ui/field';
import { FormDialog } from '../ui/form-dialog';
import { Card } from '../ui/page';
import { Loaded } from '../ui/states';

const most = 5;

/** By what runs of the live revision are judged. */
export function RubricsCard({ agentId }: { agentId: string }) {
  const client = useClient();
  const [edited, setEdited] = useState<Rubric | 'new'>();
  const stale = [['agent', agentId, 'rubrics']];
  const mayWrite = useMay()('evals:write');
  const query = useQuery({ queryKey: stale[0]!, queryFn: () => client.getEvalRubrics({ agentId }) });
  const remove = useAction(client.deleteEvalRubric, { stale, said: 'The rubric is deleted.' });
  return (
    <Card
      title="Rubrics"
      actions={
        mayWrite && (
          <button
            type="button"
            className="button small"
            disabled={(query.data?.rubrics.length ?? most) >= most}
            onClick={() => setEdited('new')}
          >
            New rubric
          </button>
        )
      }
    >
      <Loaded query={query}>
        {({ rubrics, platform_rubrics: platform }) => (
          <ul className="stack">
            {rubrics.map((rubric) => (
              <li key={rubric.rubric_id} className="stack tight">
                <span className="row between">
                  <span>
                    <strong>{rubric.title}</strong> <span className="tag">{rubric.severity}</span>
                  </span>
                  {mayWrite && (
                    <span className="row">
                      <button type="button" className="button small" onClick={() => setEdited(rubric)}>
                        Change
                      </button>
                      <DeleteButton
                        of={rubric.title}
                        disabled={remove.isPending}
                        onConfirm={() => remove.mutate({ agentId, rubric_id: rubric.rubric_id })}
                      >
                        Results that were given stay.
                      </DeleteButton>
                    </span>
                  )}
                </span>
                <span className="small quiet">{rubric.description}</span>
              </li>
            ))}
            {rubrics.length === 0 && (
              <li className="quiet">
                None of its own yet. A rubric says in a sentence what a good run is; a model judges each run
                by it.
              </li>
            )}
            {platform.map(({ key, title, description, severity }) => (
              <li key={key} className="stack tight">
                <span>
                  {title} <span className="tag">{severity}</span>{' '}
                  <span className="small quiet">for every agent</span>
                </span>
                <span className="small quiet">{description}</span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {edited && (
        <RubricDialog
          agentId={agentId}
          rubric={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Card>
  );
}

interface RubricDialogProps {
  readonly agentId: string;
  readonly rubric: Rubric | undefined;
  readonly onClose: () => void;
}

function RubricDialog({ agentId, rubric, onClose }: RubricDialogProps) {
  const client = useClient();
  const [title, setTitle] = useState(rubric?.title ?? '');
  const [description, setDescription] = useState(rubric?.description ?? '');
  const [severity, setSeverity] = useState<Rubric['severity']>(rubric?.severity ?? 'medium');
  const done = { stale: [['agent', agentId, 'rubrics']], said: 'The rubric is set.', onDone: onClose };
  const create = useAction(client.createEvalRubric, done);
  const update = useAction(client.updateEvalRubric, done);
  const submit = () => {
    const fields = { agentId, title, description, severity };
    if (rubric) update.mutate({ ...fields, rubric_id: rubric.rubric_id });
    else create.mutate(fields);
  };
  return (
    <FormDialog
      title={rubric ? 'Change the rubric' : 'New rubric'}
      submit="Save"
      disabled={create.isPending || update.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Title" required minLength={3} maxLength={80} value={title} onChange={setTitle} />
      <TextAreaField
        label="What a good run does"
        hint="20 to 400 characters."
        required
        minLength={20}
        maxLength={400}
        value={description}
        onChange={setDescription}
      />
      <SelectField label="Severity" options={enumValues.Severity} value={severity} onChange={setSeverity} />
    </FormDialog>
  );
}

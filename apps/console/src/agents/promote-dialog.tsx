import type { Build, InputOf } from '@aos/client';
import { useState } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { Checkbox } from '../ui/controls';
import { TextAreaField, TextField } from '../ui/field';
import { FormDialog } from '../ui/form-dialog';
import { Failure } from '../ui/states';

interface PromoteDialogProps {
  readonly build: Build;
  /** Saves what is typed and not saved yet: what goes live is what a person sees. Absent if nothing is. */
  readonly saveFirst?: (() => Promise<void>) | undefined;
  readonly onClose: () => void;
}

/** Makes a revision the live one, if its evaluations are good enough. */
export function PromoteDialog({ build, saveFirst, onClose }: PromoteDialogProps) {
  const client = useClient();
  const [name, setName] = useState(build.revision_name ?? '');
  const [description, setDescription] = useState(build.revision_description ?? '');
  const [isGated, setGated] = useState(false);
  const [passRate, setPassRate] = useState('90');
  const [evaluated, setEvaluated] = useState('1');
  const promote = useAction(
    async (input: InputOf<'promoteRevision'>) => {
      await saveFirst?.();
      return client.promoteRevision(input);
    },
    {
      stale: [['agent', build.agent_id], ['agents']],
      said: `Revision ${build.revision_number} is live.`,
      onDone: onClose,
    },
  );
  const submit = () =>
    promote.mutate({
      build_id: build.build_id,
      ...(name === '' ? {} : { revision_name: name }),
      ...(description === '' ? {} : { revision_description: description }),
      ...(isGated
        ? { require: { min_pass_rate: Number(passRate) / 100, min_evaluated: Number(evaluated) } }
        : {}),
    });
  return (
    <FormDialog
      title={`Promote revision ${build.revision_number}`}
      submit={promote.isPending ? 'Promoting…' : saveFirst ? 'Save and promote' : 'Promote'}
      disabled={promote.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      {saveFirst && (
        <p className="banner warn">
          This draft has changes that are not saved. They are saved first, and go live with it.
        </p>
      )}
      <p className="quiet">
        Runs that start from now on use it. The one that is live now can be had back by rolling back.
      </p>
      <TextField
        label="Name"
        hint="Optional, at most 80 characters."
        maxLength={80}
        value={name}
        onChange={setName}
      />
      <TextAreaField
        label="What is new"
        hint="Optional."
        maxLength={500}
        value={description}
        onChange={setDescription}
      />
      <Checkbox checked={isGated} onChange={setGated}>
        Only if its runs were judged well enough
      </Checkbox>
      {isGated && (
        <div className="columns">
          <TextField
            label="Passed, in percent"
            type="number"
            min={0}
            max={100}
            value={passRate}
            onChange={setPassRate}
          />
          <TextField
            label="Runs judged, at least"
            type="number"
            min={0}
            value={evaluated}
            onChange={setEvaluated}
          />
        </div>
      )}
      {promote.isError && <Failure error={promote.error} />}
    </FormDialog>
  );
}

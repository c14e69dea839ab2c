import { enumValues, type GrantedScope } from '@aos/client';
import { useState, type ReactNode } from 'react';
import { Checkbox } from '../ui/controls';
import { Snippet } from '../ui/copy';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { FormDialog } from '../ui/form-dialog';

export interface NewCredential {
  readonly name: string;
  readonly scopes?: readonly GrantedScope[];
  readonly expires_at?: string;
}

/** Says what a credential may do. */
export function scopesText(scopes: readonly GrantedScope[]): string {
  return scopes.includes('*') ? 'everything' : scopes.join(', ');
}

/** One by one; without a choice it is everything. */
const choosable = enumValues.GrantedScope.filter((scope) => scope !== '*');

interface NewCredentialDialogProps {
  readonly title: string;
  readonly canExpire: boolean;
  readonly isBusy: boolean;
  /** The new credential, shown once. */
  readonly made: string | undefined;
  readonly extra?: ReactNode;
  readonly onMake: (wanted: NewCredential) => void;
  readonly onClose: () => void;
}

export function NewCredentialDialog(props: NewCredentialDialogProps) {
  const { title, made, extra, onClose } = props;
  if (made === undefined) return <CredentialForm {...props} />;
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="banner warn">Copy it now: it is not shown again.</p>
      {extra}
      <Snippet text={made} />
      <div className="foot">
        <button type="button" className="button primary" onClick={onClose}>
          I have it
        </button>
      </div>
    </Dialog>
  );
}

function CredentialForm({ title, canExpire, isBusy, onMake, onClose }: NewCredentialDialogProps) {
  const [name, setName] = useState('');
  const [isLimited, setLimited] = useState(false);
  const [chosen, setChosen] = useState<readonly GrantedScope[]>([]);
  const [end, setEnd] = useState('');
  const submit = () =>
    onMake({
      name,
      ...(isLimited ? { scopes: chosen } : {}),
      ...(end === '' ? {} : { expires_at: new Date(end).toISOString() }),
    });
  return (
    <FormDialog
      title={title}
      submit="Make it"
      disabled={isBusy || (isLimited && chosen.length === 0)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" hint="What it is for." required value={name} onChange={setName} />
      {canExpire && (
        <TextField
          label="Ends"
          hint="Empty: it ends with the key that you use now, or never."
          type="datetime-local"
          value={end}
          onChange={setEnd}
        />
      )}
      <Checkbox checked={isLimited} onChange={setLimited}>
        It may do less than my key
      </Checkbox>
      {isLimited && (
        <fieldset className="columns scopes">
          <legend className="unseen">Scopes</legend>
          {choosable.map((scope) => (
            <Checkbox
              key={scope}
              className="choice mono"
              checked={chosen.includes(scope)}
              onChange={(isChosen) =>
                setChosen(isChosen ? [...chosen, scope] : chosen.filter((other) => other !== scope))
              }
            >
              {scope}
            </Checkbox>
          ))}
        </fieldset>
      )}
    </FormDialog>
  );
}

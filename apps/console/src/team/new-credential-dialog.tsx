import { enumValues, type GrantedScope } from '@aos/client';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Snippet } from '../ui/copy';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/field';

export interface NewCredential {
  readonly name: string;
  readonly scopes?: readonly GrantedScope[];
  readonly expires_at?: string;
}

/** One by one; without a choice it is everything. */
const choosable = enumValues.GrantedScope.filter((scope) => scope !== '*');

interface NewCredentialDialogProps {
  readonly title: string;
  readonly canExpire: boolean;
  readonly isBusy: boolean;
  /** What was made, which is shown this once. */
  readonly made: string | undefined;
  readonly extra?: ReactNode;
  readonly onMake: (wanted: NewCredential) => void;
  readonly onClose: () => void;
}

export function NewCredentialDialog(props: NewCredentialDialogProps) {
  const { title, made, extra, onClose } = props;
  if (made === undefined) {
    return (
      <Dialog title={title} onClose={onClose}>
        <CredentialForm {...props} />
      </Dialog>
    );
  }
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

function CredentialForm({ canExpire, isBusy, onMake, onClose }: NewCredentialDialogProps) {
  const [name, setName] = useState('');
  const [isLimited, setLimited] = useState(false);
  const [chosen, setChosen] = useState<readonly GrantedScope[]>([]);
  const [end, setEnd] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onMake({
      name,
      ...(isLimited ? { scopes: chosen } : {}),
      ...(end === '' ? {} : { expires_at: new Date(end).toISOString() }),
    });
  };
  return (
    <form className="stack" onSubmit={submit}>
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
      <label className="choice">
        <input type="checkbox" checked={isLimited} onChange={({ target }) => setLimited(target.checked)} />
        <span>It may do less than my key</span>
      </label>
      {isLimited && (
        <fieldset className="columns scopes">
          <legend className="unseen">Scopes</legend>
          {choosable.map((scope) => (
            <label key={scope} className="choice mono">
              <input
                type="checkbox"
                checked={chosen.includes(scope)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, scope] : chosen.filter((other) => other !== scope))
                }
              />
              {scope}
            </label>
          ))}
        </fieldset>
      )}
      <div className="foot">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="submit"
          className="button primary"
          disabled={isBusy || (isLimited && chosen.length === 0)}
        >
          Make it
        </button>
      </div>
    </form>
  );
}

import { FieldError, TextField } from '../ui/field';
import type { Limits } from './draft';

interface LimitFieldsProps {
  readonly limits: Limits;
  readonly error: string | undefined;
  readonly onChange: (limits: Limits) => void;
}

/** Limits of a run. A run that reaches one fails and names it. */
export function LimitFields({ limits, error, onChange }: LimitFieldsProps) {
  const fieldOf = (name: keyof Limits) => ({
    type: 'number',
    value: limits[name],
    onChange: (text: string) => onChange({ ...limits, [name]: text }),
  });
  return (
    <fieldset className="stack tight" aria-describedby={error && 'limits-error'}>
      <legend className="legend">Limits of a run</legend>
      <div className="columns">
        <TextField label="Steps" hint="max_steps" min={1} required {...fieldOf('max_steps')} />
        <TextField
          label="Time, in seconds"
          hint="timeout_seconds. Waiting for people does not count."
          min={1}
          required
          {...fieldOf('timeout_seconds')}
        />
        <TextField label="Tokens" hint="max_tokens. Empty: no limit." min={1} {...fieldOf('max_tokens')} />
        <TextField
          label="Temperature"
          hint="Empty: the model's own."
          min={0}
          max={2}
          step="any"
          {...fieldOf('temperature')}
        />
      </div>
      <FieldError id="limits-error" error={error} />
    </fieldset>
  );
}

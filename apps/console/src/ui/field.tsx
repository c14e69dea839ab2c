import { useId, type ComponentProps, type ReactNode } from 'react';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly children: (ids: { id: string; 'aria-describedby'?: string }) => ReactNode;
}

/** A labelled control: the label leads to it, and its hint is read with it. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children(hint ? { id, 'aria-describedby': hintId } : { id })}
      {hint && (
        <div className="hint" id={hintId}>
          {hint}
        </div>
      )}
    </div>
  );
}

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'className' | 'onChange'> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A line of text with its label. */
export function TextField({ label, hint, onChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <input {...ids} {...input} className="input" onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  );
}

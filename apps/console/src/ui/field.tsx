import { useId, type ComponentProps, type ReactNode } from 'react';
import { Select, TextArea, type SelectProps, type TextAreaProps } from './controls';

interface ControlIds {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The field error of the service. */
  readonly error?: string | undefined;
  readonly children: (ids: ControlIds) => ReactNode;
}

/** A labelled control: the label leads to it, and its hint and what is wrong with it are read with it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const described = [hint && hintId, error && errorId].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        ...(described ? { 'aria-describedby': described } : {}),
        ...(error ? { 'aria-invalid': true } : {}),
      })}
      <FieldError id={errorId} error={error} />
      {hint && (
        <div className="hint" id={hintId}>
          {hint}
        </div>
      )}
    </div>
  );
}

/** A field error, announced by screen readers. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (!error) return null;
  return (
    <div className="field-error" id={id} role="alert">
      {error}
    </div>
  );
}

type Labelled<Control> = Omit<Control, 'id' | 'label' | 'hint' | 'error'> & Omit<FieldProps, 'children'>;

type TextFieldProps = Labelled<Omit<ComponentProps<'input'>, 'onChange'>> & {
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** A line of text with its label. */
export function TextField({ label, hint, error, onChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <input className="input" {...ids} {...input} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  );
}

/** Lines of text with their label. */
export function TextAreaField({ label, hint, error, ...area }: Labelled<TextAreaProps>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <TextArea {...ids} {...area} />}
    </Field>
  );
}

/** A choice with its label. */
export function SelectField<Value extends string>(props: Labelled<SelectProps<Value>>) {
  const { label, hint, error, ...select } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <Select {...ids} {...select} />}
    </Field>
  );
}

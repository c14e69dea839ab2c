import type { ComponentProps, ReactNode } from 'react';

/** A value that is its own text, or a value and its text. */
export type Option<Value extends string> = Value | readonly [value: Value, text: string];

export interface SelectProps<Value extends string> extends Omit<
  ComponentProps<'select'>,
  'value' | 'onChange' | 'children'
> {
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

export function Select<Value extends string>({ options, onChange, ...select }: SelectProps<Value>) {
  return (
    <select className="input" {...select} onChange={({ target }) => onChange(target.value as Value)}>
      {options.map((option) => {
        const [value, text] = typeof option === 'string' ? [option, option] : option;
        return (
          <option key={value} value={value}>
            {text}
          </option>
        );
      })}
    </select>
  );
}

export interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function TextArea({ onChange, ...area }: TextAreaProps) {
  return <textarea className="input" {...area} onChange={({ target }) => onChange(target.value)} />;
}

interface CheckboxProps {
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly className?: string;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

export function Checkbox({ className = 'choice', onChange, children, ...box }: CheckboxProps) {
  return (
    <label className={className}>
      <input type="checkbox" {...box} onChange={({ target }) => onChange(target.checked)} />
      <span>{children}</span>
    </label>
  );
}

interface LineFormProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly submit: string;
  readonly className?: string;
  readonly disabled: boolean;
  readonly onSubmit: () => void;
}

/** One line of text and the button that sends it. */
export function LineForm(props: LineFormProps) {
  const { label, placeholder = label, value, onChange, submit, className, disabled, onSubmit } = props;
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <input
        className="input grow"
        required
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <button type="submit" className={className ?? 'button'} disabled={disabled}>
        {submit}
      </button>
    </form>
  );
}

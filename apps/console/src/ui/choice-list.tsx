import { useId, useState, type ReactNode } from 'react';
import { FieldError } from './field';

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: ReactNode;
  /** It is chosen whatever a person does. */
  readonly always?: boolean;
}

interface ChoiceListProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly choices: readonly Choice[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** So many are looked through without a search. */
const fewChoices = 8;

/** Any number of a list. What is chosen and not in the list any more is shown as well, so that it can be taken away. */
export function ChoiceList({ label, hint, error, choices, chosen, onChange }: ChoiceListProps) {
  const id = useId();
  const [search, setSearch] = useState('');
  const known = new Set(choices.map(({ value }) => value));
  const gone = chosen
    .filter((value) => !known.has(value))
    .map((value) => ({ value, label: value, hint: 'not there any more' }));
  const all: readonly Choice[] = [...gone, ...choices];
  const wanted = search.trim().toLowerCase();
  const toggle = (value: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, value] : chosen.filter((one) => one !== value));
  return (
    <fieldset
      className="choice-list"
      aria-describedby={[hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined}
    >
      <legend className="legend">{label}</legend>
      {hint && (
        <div className="hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {all.length > fewChoices && (
        <input
          className="input small"
          type="search"
          aria-label={`Search: ${label}`}
          placeholder="Search"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <div className="choices">
        {all
          .filter((choice) => choice.label.toLowerCase().includes(wanted))
          .map((choice) => (
            <label key={choice.value} className="choice">
              <input
                type="checkbox"
                checked={choice.always || chosen.includes(choice.value)}
                disabled={choice.always}
                onChange={({ target }) => toggle(choice.value, target.checked)}
              />
              <span>
                {choice.label} {choice.hint && <span className="small quiet">{choice.hint}</span>}
              </span>
            </label>
          ))}
      </div>
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  );
}

import type { Answers, Question } from '@aos/client';
import { useId, useState } from 'react';
import { TextArea } from './controls';

interface QuestionFieldsProps {
  readonly questions: readonly Question[];
  readonly answers: Answers;
  readonly onChange: (answers: Answers) => void;
}

/** Questions of a run or a builder: a choice if there are options, otherwise a text. */
export function QuestionFields({ questions, answers, onChange }: QuestionFieldsProps) {
  return (
    <>
      {questions.map((question) => (
        <QuestionField
          key={question.question}
          question={question}
          answer={answers[question.question]}
          onChange={(answer) => onChange({ ...answers, [question.question]: answer })}
        />
      ))}
    </>
  );
}

interface AnswerFormProps {
  readonly questions: readonly Question[];
  readonly isBusy: boolean;
  readonly className?: string;
  readonly onAnswer: (answers: Answers) => void;
}

/** Answers all questions together. */
export function AnswerForm({ questions, isBusy, className = 'stack', onAnswer }: AnswerFormProps) {
  const [answers, setAnswers] = useState<Answers>({});
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(answers);
      }}
    >
      <QuestionFields questions={questions} answers={answers} onChange={setAnswers} />
      <div>
        <button
          type="submit"
          className="button primary"
          disabled={isBusy || !areAnswered(questions, answers)}
        >
          Send the answers
        </button>
      </div>
    </form>
  );
}

/** Whether each question has an answer. */
export function areAnswered(questions: readonly Question[], answers: Answers): boolean {
  return questions.every(({ question }) => (answers[question]?.length ?? 0) > 0);
}

interface QuestionFieldProps {
  readonly question: Question;
  readonly answer: string | readonly string[] | undefined;
  readonly onChange: (answer: string | readonly string[]) => void;
}

function QuestionField({
  question: { question, header, options, multi_select },
  answer,
  onChange,
}: QuestionFieldProps) {
  const id = useId();
  const chosen = typeof answer === 'string' ? [answer] : (answer ?? []);
  if (!options || options.length === 0) {
    return (
      <div className="field">
        <label className="label" htmlFor={id}>
          {question}
        </label>
        <TextArea id={id} rows={2} value={typeof answer === 'string' ? answer : ''} onChange={onChange} />
      </div>
    );
  }
  const toggle = (label: string, isOn: boolean) => {
    if (!multi_select) onChange(label);
    else onChange(isOn ? [...chosen, label] : chosen.filter((other) => other !== label));
  };
  return (
    <fieldset className="stack tight">
      <legend className="legend">{question}</legend>
      {header && <div className="hint">{header}</div>}
      {options.map(({ label, description }) => (
        <label key={label} className="choice">
          <input
            type={multi_select ? 'checkbox' : 'radio'}
            name={id}
            checked={chosen.includes(label)}
            onChange={({ target }) => toggle(label, target.checked)}
          />
          <span>
            {label}
            {description && <span className="hint"> {description}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

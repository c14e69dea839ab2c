import type { Step } from './steps.js';

/** A fenced block that is read back as the same steps; line breaks in texts become blanks. */
export function writeStepsBlock(steps: readonly Step[]): string[] {
  return ['```steps', ...steps.map(writeStep), '```'];
}

function writeStep(step: Step): string {
  switch (step.kind) {
    case 'say':
    case 'finish':
      return `${step.kind} ${oneLine(step.text)}`;
    case 'tool':
      return `tool ${step.name} ${JSON.stringify(step.arguments)}`;
    case 'ask':
      // A bar separates the options and cannot be written.
      return `ask ${[step.question, ...step.options].map((part) => oneLine(part.replaceAll('|', '/'))).join(' | ')}`;
    case 'approve':
      return `approve ${oneLine(step.title)}`;
    case 'wait':
      return `wait ${step.ms}`;
    case 'fail':
      return `fail ${oneLine(step.message)}`;
  }
}

/** All white space as single blanks. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

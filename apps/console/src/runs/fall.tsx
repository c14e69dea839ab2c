import type { RunStep } from '@aos/client';
import { counted, duration } from '../ui/format';

/** From the first to the last moment of a run, in milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export function Fall({ steps, span }: { steps: readonly RunStep[]; span: Span }) {
  if (steps.length === 0) return <div className="hide-small" />;
  const whole = Math.max(1, span.to - span.from);
  const took = steps.reduce((sum, step) => sum + lengthOf(step, span), 0);
  const tokens = steps.reduce((sum, step) => sum + (step.input_tokens ?? 0) + (step.output_tokens ?? 0), 0);
  const tries = steps.reduce((most, step) => Math.max(most, step.attempts), 1);
  const text = [duration(took), tokens > 0 ? counted(tokens, 'token') : '', tries > 1 ? `${tries} tries` : '']
    .filter((part) => part !== '')
    .join(' · ');
  return (
    <div>
      <div className="fall" role="img" aria-label={`Took ${text}`}>
        {steps.map((step) => (
          <span
            key={step.index}
            className={step.status === 'failed' ? 'failed' : step.kind}
            title={`${step.name}: ${duration(lengthOf(step, span))}`}
            style={{
              left: `${((Date.parse(step.started_at) - span.from) / whole) * 100}%`,
              width: `${(lengthOf(step, span) / whole) * 100}%`,
            }}
          />
        ))}
      </div>
      <div className="fall-time">{text}</div>
    </div>
  );
}

function lengthOf(step: RunStep, span: Span): number {
  return step.duration_ms ?? Math.max(0, span.to - Date.parse(step.started_at));
}

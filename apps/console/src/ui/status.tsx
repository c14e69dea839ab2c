import { words } from './format';

type Tone = 'good' | 'bad' | 'warn' | 'live' | '';

const tones: Readonly<Record<string, Tone>> = {
  completed: 'good',
  active: 'good',
  live: 'good',
  delivered: 'good',
  answered: 'good',
  approved: 'good',
  ready: 'good',
  failed: 'bad',
  denied: 'bad',
  broken: 'bad',
  dead: 'bad',
  expired: 'bad',
  waiting: 'warn',
  needs_input: 'warn',
  awaiting_review: 'warn',
  overdue: 'bad',
  running: 'live',
  in_progress: 'live',
};

/** Never by its color alone: the word is always there. */
export function Status({ of: status }: { of: string }) {
  return <span className={`badge ${tones[status] ?? ''}`}>{words(status)}</span>;
}

import { InvalidArgumentError } from 'commander';

/** `--limit 20` */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

export interface Pair {
  readonly key: string;
  readonly value: string;
}

/** `--metadata order=17 --metadata kind=refund` */
export function keyValues(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const { key, value } = pairIn(text);
  return { ...before, [key]: value };
}

/** `--label region=north --label region=south`: a key may come several times. */
export function pairs(text: string, before: readonly Pair[]): Pair[] {
  return [...before, pairIn(text)];
}

function pairIn(text: string): Pair {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError('It must be key=value.');
  return { key, value };
}

/** `--status failed,waiting`: names with commas. The service knows which there are, and refuses others by name. */
export function nameList<Name extends string>(text: string): Name[] {
  return text.split(',').map((name) => name.trim() as Name);
}

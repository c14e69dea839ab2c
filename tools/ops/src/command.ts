import { serviceNames } from '@aos/contracts';
import { Problem } from './problem.js';
import type { Product } from './product.js';

/** What was given after the name of a command. */
export interface Given {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | undefined>>;
}

export type Row = Readonly<Record<string, unknown>>;

/** What a command has to say: rows, or a sentence where there are none. */
export interface Told {
  readonly rows: readonly Row[];
  readonly note?: string;
  /** Whether something is not as it should be. */
  readonly failed?: boolean;
}

export interface Command {
  readonly usage: string;
  readonly help: string;
  /** How its options are named; each takes a value. */
  readonly options?: readonly string[];
  run(product: Product, given: Given): Promise<Told>;
}

/** The services that an option names: one, or all. */
export function chosenServices({ options }: Given): readonly string[] {
  const { service } = options;
  if (service === undefined) return serviceNames;
  return [serviceNamed(service)];
}

export function serviceNamed(name: string | undefined): string {
  if (name !== undefined && (serviceNames as readonly string[]).includes(name)) return name;
  throw new Problem(`${name ?? 'Nothing'} is no service; there are ${serviceNames.join(', ')}.`, 64);
}

/** A whole number that an option gives. */
export function numberOption({ options }: Given, name: string, fallback: number): number {
  const text = options[name];
  if (text === undefined) return fallback;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Problem(`--${name} must be a whole number.`, 64);
}

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function idOption({ options }: Given, name: string): string | undefined {
  const text = options[name];
  if (text === undefined || id.test(text)) return text;
  throw new Problem(`--${name} must be an id.`, 64);
}

import { enumValues } from '@aos/client';

/** The filters in the URL of the list. */
export interface RunSearch {
  readonly status?: string;
  readonly agent?: string;
  readonly source?: string;
  readonly search?: string;
  readonly issues?: true;
}

export const statusChoices = ['needs_attention', ...enumValues.RunStatus] as const;
export const sourceChoices = enumValues.RunSource;

/** Takes what it knows and drops the rest: an address may come from anywhere. */
export function runSearch(given: Record<string, unknown>): RunSearch {
  const text = (name: string) => {
    const value = given[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const among = <T extends string>(choices: readonly T[], name: string) =>
    choices.find((choice) => choice === given[name]);
  const found = {
    status: among(statusChoices, 'status'),
    agent: text('agent'),
    source: among(sourceChoices, 'source'),
    search: text('search')?.slice(0, 200),
    issues: given['issues'] === true || given['issues'] === 'true' ? (true as const) : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

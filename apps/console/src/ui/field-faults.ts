import { ApiError } from '@aos/client';

/** Parses field errors of the service: `cron: expected 5 fields; time: Invalid`. */
export function fieldFaults(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError) || error.status !== 400) return {};
  const faults: Record<string, string> = {};
  let last: string | undefined;
  for (const part of error.message.split('; ')) {
    const [, name, text] = /^([a-z_]+): (.+)$/s.exec(part) ?? [];
    // A fault may have the mark of its end in its own words.
    if (name === undefined && last !== undefined) faults[last] += `; ${part}`;
    if (name === undefined) continue;
    faults[name] = text!;
    last = name;
  }
  return faults;
}

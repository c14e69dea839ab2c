import type { z } from 'zod';
import { isError } from '../logging/error-serializer.js';

/** The environment of a process is unusable. Holds names and reasons only, so it may be printed as it is. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(
    readonly appName: string,
    readonly problems: readonly string[],
  ) {
    super(
      `${appName} cannot start, its configuration is wrong:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
  }
}

/** What an app hands in: `process.env`, or a plain object in tests. */
export type Environment = Record<string, string | undefined>;

/**
 * Reads the configuration of an app from its environment; an empty variable counts as unset.
 * Throws one `ConfigError` that lists all problems, a line for each variable, without any value.
 */
export function loadConfig<Schema extends z.ZodType>(
  schema: Schema,
  env: Environment,
  appName: string,
): z.output<Schema> {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = parse(schema, set, appName);
  if (result.success) return result.data;

  const reasons = new Map<string, Set<string>>();
  for (const issue of result.error.issues) {
    const name = String(issue.path[0] ?? 'configuration');
    const reason = !(name in set) && issue.code === 'invalid_type' ? 'is required' : issue.message;
    reasons.set(name, (reasons.get(name) ?? new Set()).add(withoutValues(reason, name, set)));
  }
  throw new ConfigError(
    appName,
    [...reasons].map(([name, texts]) => `${name}: ${[...texts].join('; ')}`),
  );
}

function parse<Schema extends z.ZodType>(schema: Schema, set: Environment, appName: string) {
  try {
    return schema.safeParse(set);
  } catch (error) {
    // A rule that throws instead of reporting: its message may quote the value, its class cannot.
    const kind = isError(error) ? error.name : typeof error;
    throw new ConfigError(appName, [`configuration: a rule of the schema threw ${kind}`]);
  }
}

/**
 * zod's own messages quote what is allowed, never what came. A rule written by hand may do otherwise, and a value
 * can be a password: every whole word equal to a value is taken out. Short values are left, they are ordinary words.
 */
function withoutValues(reason: string, name: string, set: Environment): string {
  let text = reason;
  for (const [key, value] of Object.entries(set)) {
    if (value === undefined || value.length < (key === name ? 4 : 8)) continue;
    const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    text = text.replace(new RegExp(`(?<!\\w)${escaped}(?!\\w)`, 'g'), '***');
  }
  return text;
}

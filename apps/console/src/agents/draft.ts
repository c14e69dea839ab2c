import { ApiError, type BuildConfig } from '@aos/client';

export interface Draft {
  readonly model: string;
  readonly procedure: string;
  /** Undefined: every set of tools that this installation has. */
  readonly plugins: readonly string[] | undefined;
  readonly connections: readonly string[];
  readonly subAgents: readonly string[];
  readonly limits: Limits;
}

/** Limits as typed. An empty text means unlimited, or the provider's default. */
export interface Limits {
  readonly max_steps: string;
  readonly timeout_seconds: string;
  readonly max_tokens: string;
  readonly temperature: string;
}

/** Unsaved changes. */
export type Edits = Partial<Draft>;

export function draftOf({ data }: BuildConfig): Draft {
  return {
    model: data.models.agent.model,
    procedure: data.input,
    plugins: data.plugins,
    connections: data.connections,
    subAgents: data.sub_agents,
    limits: limitsOf(data.options),
  };
}

type Options = BuildConfig['data']['options'];

function limitsOf({ max_steps, timeout_seconds, max_tokens, temperature }: Options): Limits {
  const text = (value: number | undefined) => value?.toString() ?? '';
  return {
    max_steps: text(max_steps),
    timeout_seconds: text(timeout_seconds),
    max_tokens: text(max_tokens),
    temperature: text(temperature),
  };
}

/** Left out where the text is empty: the service has a default, or none is needed. */
function optionsOf(limits: Limits): Options {
  const given = Object.entries(limits).filter(([, text]) => text.trim() !== '');
  // The service fills in those that it needs.
  return Object.fromEntries(given.map(([name, text]) => [name, Number(text)])) as unknown as Options;
}

/** The config with the edits in it. All that is not edited stays as it is. */
export function edited(config: BuildConfig, edits: Edits): BuildConfig {
  const { model, procedure, plugins, connections, subAgents, limits } = { ...draftOf(config), ...edits };
  const { plugins: _before, ...data } = config.data;
  return {
    ...config,
    data: {
      ...data,
      input: procedure,
      models: { ...data.models, agent: { ...data.models.agent, model } },
      ...(plugins === undefined ? {} : { plugins }),
      connections,
      sub_agents: subAgents,
      options: { ...restOf(config.data.options), ...optionsOf(limits) },
    },
  };
}

function restOf(options: Options): object {
  const {
    max_steps: _steps,
    timeout_seconds: _time,
    max_tokens: _tokens,
    temperature: _heat,
    ...rest
  } = options;
  return rest;
}

/** The edits that change something. One that leads back to what the service has is none; the order of a list is none. */
export function changes(config: BuildConfig, edits: Edits): Edits {
  const now = draftOf(config);
  const names = Object.keys(edits) as (keyof Draft)[];
  return Object.fromEntries(
    names.filter((name) => !isSame(now[name], edits[name])).map((name) => [name, edits[name]]),
  );
}

/** The edits that were made after others were sent. */
export function since(sent: Edits, edits: Edits): Edits {
  const names = Object.keys(edits) as (keyof Draft)[];
  return Object.fromEntries(
    names
      .filter((name) => !(name in sent) || !isSame(sent[name], edits[name]))
      .map((name) => [name, edits[name]]),
  );
}

function isSame(one: Draft[keyof Draft], other: Draft[keyof Draft]): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.toSorted().join('\n') === other.toSorted().join('\n');
  }
  return JSON.stringify(one) === JSON.stringify(other);
}

const fields: readonly (readonly [string, keyof Draft])[] = [
  ['config.data.models.agent.model', 'model'],
  ['config.data.input', 'procedure'],
  ['config.data.plugins', 'plugins'],
  ['config.data.connections', 'connections'],
  ['config.data.sub_agents', 'subAgents'],
  ['config.data.options', 'limits'],
];

export function fieldErrors(error: unknown): Partial<Record<keyof Draft, string>> {
  if (!(error instanceof ApiError) || error.status !== 400) return {};
  const said: Partial<Record<keyof Draft, string>> = {};
  for (const [path, field] of fields) if (error.message.includes(path)) said[field] = error.message;
  return said;
}

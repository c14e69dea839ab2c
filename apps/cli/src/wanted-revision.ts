import { isDeepStrictEqual } from 'node:util';
import type { BuildConfig, BuildConfigInput, RubricInput } from '@aos/client';

type Data = BuildConfig['data'];

/** Optional parts of a folder's configuration; the service accepts two names for sub-agents. */
export type ConfigFile = Omit<NonNullable<BuildConfigInput['data']>, 'input'> & {
  readonly subAgents?: readonly string[];
};

/** Reads a revision from a folder. A missing file leaves its part unchanged. */
export interface RevisionFiles {
  readonly config?: ConfigFile;
  readonly procedure?: string;
  readonly rubrics?: readonly RubricInput[];
}

/** A revision as the service shows it. */
export interface LiveRevision {
  readonly config: Omit<Data, 'input'>;
  readonly procedure: string;
  readonly rubrics: readonly RubricInput[];
}

/**
 * The revision that a folder asks for, beside the live one. What always has a value keeps it where the folder does not
 * name another; what may be absent (tool sets, a budget, a temperature) goes when it is taken out of the folder.
 */
export function wantedRevision(files: RevisionFiles, live: LiveRevision): LiveRevision {
  return {
    config: files.config ? wantedConfig(files.config, live.config) : live.config,
    procedure: files.procedure ?? live.procedure,
    rubrics: files.rubrics ? wantedRubrics(files.rubrics, live.rubrics) : live.rubrics,
  };
}

export function isSameRevision(one: LiveRevision, other: LiveRevision): boolean {
  // Undefined fields are not sent.
  return isDeepStrictEqual(sent(one), sent(other));
}

/** With what the file has and nobody knows, too: the service refuses it by name. */
function wantedConfig(
  { subAgents, ...given }: ConfigFile,
  live: LiveRevision['config'],
): LiveRevision['config'] {
  const { max_steps, timeout_seconds } = live.options;
  const model = wantedModel(given.models?.agent?.model, live.models.agent.model);
  return {
    ...given,
    models: { ...given.models, agent: { ...given.models?.agent, model } },
    plugins: given.plugins,
    connections: given.connections ?? live.connections,
    sub_agents: given.sub_agents ?? subAgents ?? live.sub_agents,
    options: { max_steps, timeout_seconds, ...given.options },
  };
}

/** The service gives a bare name the provider that everybody knows, which a server of one's own never is. */
function wantedModel(given: string | undefined, live: string): string {
  const [provider, name] = [live.slice(0, live.indexOf('/')), live.slice(live.indexOf('/') + 1)];
  const isSame = name === given && provider !== 'compatible';
  return given === undefined || isSame ? live : given;
}

/** Rubrics without a number keep the order of the file; a known title keeps its weight. */
function wantedRubrics(given: readonly RubricInput[], live: readonly RubricInput[]): RubricInput[] {
  return given.map((rubric, index) => {
    const [title, description] = [rubric.title.trim(), rubric.description.trim()];
    const severity = live.find((one) => one.title === title)?.severity;
    return { severity, sort_order: index, ...rubric, title, description };
  });
}

function sent({ config, procedure, rubrics }: LiveRevision): unknown {
  const inOrder = rubrics.toSorted((one, other) => (one.sort_order ?? 0) - (other.sort_order ?? 0));
  return JSON.parse(JSON.stringify({ config, procedure, rubrics: inOrder }));
}

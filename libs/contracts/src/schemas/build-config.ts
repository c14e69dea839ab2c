import { z } from 'zod';
import { aliased } from './aliased.js';
import { boundedList, idSchema, refusing } from './common.js';
import { named } from './named.js';

/** The tool sets that are built in, by the names that `plugins` takes. */
export const builtinToolSets = [
  'human',
  'files',
  'memory',
  'code',
  'http',
  'browser',
  'cases',
  'agents',
] as const;

/** The model that needs no key and no network. */
export const builtinModel = 'builtin/scripted';

export const modelProviders = ['builtin', 'openai', 'anthropic', 'compatible'] as const;

const namedProviders = modelProviders.slice(1);
const modelName = new RegExp(`^(${builtinModel}|(${namedProviders.join('|')})/\\S{1,200})$`);

/** Bare names whose provider everybody knows. */
const bareNames = [
  { pattern: /^claude-/, provider: 'anthropic' },
  { pattern: /^(gpt-|o\d)/, provider: 'openai' },
] as const;

/** `<provider>/<name>`; a bare name whose provider is known gets it. */
export const modelSchema = z
  .string()
  .transform((name) => {
    const known = bareNames.find(({ pattern }) => pattern.test(name) && !name.includes('/'));
    return known ? `${known.provider}/${name}` : name;
  })
  .pipe(
    z
      .string()
      .regex(
        modelName,
        `must be ${builtinModel}, or <provider>/<name> with one of ${namedProviders.join(', ')}`,
      ),
  );

const maxProcedureLength = 200_000;

/** A text, or the messages that other platforms keep; their texts are joined by blank lines. */
const procedureSchema = z
  .union([z.string(), boundedList(z.object({ role: z.string(), content: z.string() }), { max: 1000 })])
  .transform((given) =>
    typeof given === 'string' ? given : given.map(({ content }) => content).join('\n\n'),
  )
  .pipe(z.string().max(maxProcedureLength));

const optionsSchema = named(
  'BuildOptions',
  z.object({
    max_steps: z.int().min(1).max(1000).default(50),
    /** Active time: waiting for a human does not count. */
    timeout_seconds: z.int().min(1).max(86_400).default(3600),
    /** A hard budget for a run. */
    max_tokens: z.int().min(1).optional(),
    temperature: z.number().min(0).max(2).optional(),
  }),
);

/** The configuration of a build. Connections and sub-agents are resolved when a run starts. */
export const buildConfigSchema = named(
  'BuildConfig',
  z.object({
    version: z.literal('v2').default('v2'),
    data: aliased(
      { subAgents: 'sub_agents' },
      z.object({
        models: refusing(
          { browsing: 'the model of the agent uses the browser tools, too' },
          z.object({
            agent: z
              .object({
                model: modelSchema.default(builtinModel),
              })
              .prefault({}),
          }),
        ).prefault({}),
        /** The operating procedure, in Markdown. */
        input: procedureSchema.default(''),
        /** Absent: every built-in tool set of this installation. */
        plugins: boundedList(z.string().min(1).max(100), { max: 100 }).optional(),
        connections: boundedList(idSchema, { max: 100 }).default([]),
        sub_agents: boundedList(idSchema, { max: 100 }).default([]),
        options: optionsSchema.prefault({}),
      }),
    ).prefault({}),
  }),
);

export type BuildConfig = z.output<typeof buildConfigSchema>;

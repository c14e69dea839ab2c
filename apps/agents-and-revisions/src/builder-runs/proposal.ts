import { describeProblems, parseSteps } from '@aos/agent-runtime';
import { buildConfigSchema, builtinModel, type BuildConfig } from '@aos/contracts';

/** The present config with another procedure. */
export function withProcedure(config: BuildConfig, procedure: string): BuildConfig {
  return { ...config, data: { ...config.data, input: procedure } };
}

/** Why a proposal could not be a build's config; undefined if it could. */
export function faultOf(proposal: BuildConfig): string | undefined {
  const { error } = buildConfigSchema.safeParse(proposal);
  if (error) return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  if (proposal.data.models.agent.model !== builtinModel) return undefined;
  const steps = parseSteps(proposal.data.input);
  return steps.kind === 'invalid' ? describeProblems(steps.problems) : undefined;
}

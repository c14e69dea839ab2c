import { z } from 'zod';
import type { Tool, ToolContext, ToolOutcome } from './tool.js';

export interface ToolDefinition<S extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly parameters: S;
  readonly instant?: boolean;
  /** Whether a call may be made again if it is unknown whether it took effect. */
  readonly repeatable?: boolean | ((args: z.output<S>) => boolean);
  readonly knownByDatabase?: boolean;
  execute(args: z.output<S>, context: ToolContext): Promise<ToolOutcome>;
}

const maxNamedFaults = 20;

/** A tool whose arguments are checked before it is called; the model is told of every bad field. */
export function defineTool<S extends z.ZodObject>(definition: ToolDefinition<S>): Tool {
  const {
    name,
    description,
    parameters,
    instant = false,
    repeatable = false,
    knownByDatabase = false,
  } = definition;
  return {
    name,
    description,
    parameters: asJsonSchema(parameters),
    isInstant: instant,
    isKnownByDatabase: knownByDatabase,
    isRepeatable(args) {
      if (typeof repeatable === 'boolean') return repeatable;
      const { data } = parameters.safeParse(args);
      // Bad arguments are refused before anything happens.
      return data === undefined || repeatable(data);
    },
    async execute(args, context) {
      const { data, error } = parameters.safeParse(args);
      return error ? { kind: 'error', message: describe(error) } : definition.execute(data, context);
    },
  };
}

function asJsonSchema(schema: z.ZodObject): Record<string, unknown> {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return json;
}

function describe({ issues }: z.ZodError): string {
  const faults = issues.slice(0, maxNamedFaults).map(({ path, message }) => {
    return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
  });
  if (issues.length > maxNamedFaults) faults.push(`and ${issues.length - maxNamedFaults} more`);
  return `The arguments are not valid: ${faults.join('; ')}`;
}

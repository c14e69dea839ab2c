import { pathParams, type Operation } from '@aos/contracts';
import { fixtureTable } from '@aos/testing';
import type { CallOptions } from '../../src/api-client.js';

/** Repeats the rule for tool names, so that a change of the code that makes them is found. */
const nameOf = ({ operationId }: Operation): string =>
  operationId.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

/** The operations that are MCP tools, each after its tool's name. */
export const tools = fixtureTable.operations
  .filter(
    ({ kind, takes, access, disclosesSecret }) =>
      kind === 'json' && takes === 'json' && !['link', 'open'].includes(access) && !disclosesSecret,
  )
  .map((operation) => [nameOf(operation), operation] as const);

/** The parts of a request as the arguments of its tool. No operation has a name twice. */
export function argumentsOf(
  operation: Operation,
  { params = {}, query = {}, body = {} }: CallOptions,
): Record<string, unknown> {
  const inPath = pathParams(operation.path).map((name) => [name, decodeURIComponent(params[name]!)] as const);
  return { ...Object.fromEntries(inPath), ...(query as object), ...(body as object) };
}

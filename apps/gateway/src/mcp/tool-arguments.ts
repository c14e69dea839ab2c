import {
  AppError,
  ignoredFields,
  pathParams,
  refuseIgnored,
  type Operation,
  type RawRequest,
} from '@aos/contracts';
import type { OperationTool } from './operation-tools.js';
import { teamParameter, type Place } from './tool-schemas.js';

export type ToolArguments = Readonly<Record<string, unknown>>;

/**
 * The arguments of a call as the request that they stand for. What no part of the request names goes into the body, which
 * knows aliases of its fields. Others are refused: a model that misspells an argument makes the call again.
 */
export function requestOf(
  { operation, places }: OperationTool,
  given: ToolArguments,
  teamId: string | null,
): RawRequest {
  const parts: Record<Place, Record<string, unknown>> = { params: {}, query: {}, body: {} };
  for (const [argument, value] of Object.entries(given)) {
    // The team of the credential may always be named.
    if (argument === teamParameter && value === teamId && !hasTeam(operation)) continue;
    const { place, name } = places.get(argument) ?? { place: 'body', name: argument };
    // In the body null may clear a field; elsewhere it says no more than absence.
    if (value === null && place !== 'body') continue;
    define(parts[place], name, value);
  }
  if (teamId !== null && hasTeam(operation)) parts.params[teamParameter] ??= teamId;
  checkParams(operation, parts.params);
  refuseIgnored(ignoredFields(operation, parts));
  return { params: parts.params, query: parts.query, body: operation.hasBody ? parts.body : undefined };
}

/** The team that the call names in its path, if it names one. */
export function teamIn({ operation }: OperationTool, given: ToolArguments): string | undefined {
  const team = hasTeam(operation) ? (given[teamParameter] ?? undefined) : undefined;
  return team === undefined ? undefined : String(team);
}

function hasTeam(operation: Operation): boolean {
  return pathParams(operation.path).includes(teamParameter);
}

/** A path cannot lack a part, or have one that is no text; a call can. */
function checkParams(operation: Operation, params: Record<string, unknown>): void {
  const faults = pathParams(operation.path)
    .filter((name) => typeof params[name] !== 'string')
    .map((name) => `${name}: ${params[name] === undefined ? 'is required' : 'must be a string'}`);
  if (faults.length > 0) throw new AppError('invalid_request', faults.join('; '));
}

/** Sets a field of any name: `__proto__` is one like others. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

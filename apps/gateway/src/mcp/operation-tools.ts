import type { Operation } from '@aos/contracts';
import type { Tool } from '@modelcontextprotocol/server';
import { toolName, toolsetName } from './tool-names.js';
import { toolInput, toolOutput, type ToolInput } from './tool-schemas.js';

/** An operation as a client of MCP sees it. */
export interface OperationTool {
  readonly operation: Operation;
  readonly toolset: string;
  /** Without what it answers, which takes two thirds of the room. */
  readonly definition: Tool;
  readonly outputSchema: Tool['outputSchema'];
  readonly places: ToolInput['places'];
}

/**
 * An operation that takes and answers JSON, for callers with a credential. Files, streams and pages are no tools, and
 * neither are operations whose answer contains a key or secret: a client of MCP puts it into the context of a model.
 */
export function isTool({ kind, takes, access, disclosesSecret }: Operation): boolean {
  return kind === 'json' && takes === 'json' && access !== 'link' && access !== 'open' && !disclosesSecret;
}

/** Every operation that is one, as a tool, by its name. Made once: schemas take their time. */
export function operationTools(operations: readonly Operation[]): ReadonlyMap<string, OperationTool> {
  return new Map(
    operations.filter(isTool).map((operation) => {
      const tool = operationTool(operation);
      return [tool.definition.name, tool];
    }),
  );
}

function operationTool(operation: Operation): OperationTool {
  const { summary, description, mutating, repeatable, destructive } = operation;
  const input = toolInput(operation);
  return {
    operation,
    toolset: toolsetName(operation.tag),
    places: input.places,
    outputSchema: toolOutput(operation),
    definition: {
      name: toolName(operation.operationId),
      title: summary,
      description: description === undefined ? `${summary}.` : `${summary}. ${description}`,
      inputSchema: input.schema,
      annotations: {
        readOnlyHint: !mutating,
        destructiveHint: mutating && destructive,
        idempotentHint: repeatable,
        openWorldHint: false,
      },
    },
  };
}

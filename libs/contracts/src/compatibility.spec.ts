import { z } from 'zod';
import { listAgents } from './operations/agents/agents.js';
import { listArtifacts, oneArtifact } from './operations/artifacts/artifacts.js';
import { bulkDeleteCases, bulkReprocessCases, bulkUpdateCaseStatus } from './operations/cases/case-bulk.js';
import { clearQueueCases } from './operations/cases/cases.js';
import { listConnections } from './operations/connections/connections.js';
import { getEvalRubrics } from './operations/agents/eval-rubrics.js';
import { operations } from './operations/index.js';
import { listAgentMemoryFiles } from './operations/agents/memory-files.js';
import { deleteQueue, listQueues } from './operations/cases/queues.js';
import { listRuns } from './operations/runs/runs.js';
import type { Operation } from './declarations/operation.js';
import { artifactSchema } from './schemas/artifacts.js';

interface Json {
  readonly items?: Json;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

/** The fields that an answer always has; those of the items of a list where one is named. */
function fieldsOf({ response }: Pick<Operation, 'response'>, list?: string): readonly string[] {
  const json = z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' }) as Json;
  const shown = list === undefined ? json : json.properties?.[list]?.items;
  return shown?.required ?? [];
}

/** What clients of the public API of July 2026 read, beside what this one has names of its own for. */
describe('an answer to a client of the public API of July 2026', () => {
  it.each<[Operation, string | undefined, string[]]>([
    [listRuns, 'data', ['run_number', 'case_queue_item_id', 'postponed_to', 'build_id']],
    [getEvalRubrics, 'platform_rubrics', ['label', 'cause']],
    [listQueues, 'queues', ['folder_id', 'has_approvals']],
    [listConnections, undefined, ['connections', 'integrations']],
    [
      listAgentMemoryFiles,
      'files',
      ['generation', 'source_agent_run_id', 'source_user_id', 'source_updated_at'],
    ],
    [listArtifacts, 'artifacts', ['permission', 'visibility']],
    [clearQueueCases, undefined, ['deletedCount', 'interruptedRunIds']],
    [deleteQueue, undefined, ['deletedCount', 'interruptedRunIds']],
    [bulkDeleteCases, undefined, ['deletedCount', 'skippedCount', 'interruptedRunIds']],
    [bulkReprocessCases, undefined, ['reprocessedCount', 'skippedCount', 'interruptedRunIds']],
    [bulkUpdateCaseStatus, undefined, ['updatedCount', 'skippedCount', 'interruptedRunIds']],
  ])('$operationId has what it reads', (operation, list, fields) => {
    expect(fieldsOf(operation, list)).toEqual(expect.arrayContaining(fields));
  });

  it('listAgents has what it reads, unless the service of triggers is away', () => {
    const { properties } = z.toJSONSchema(listAgents.response, {
      io: 'output',
      unrepresentable: 'any',
    }) as Json;
    expect(Object.keys(properties?.['agents']?.items?.properties ?? {})).toEqual(
      expect.arrayContaining([
        'case_trigger_enabled',
        'case_trigger_has_conflict',
        'case_trigger_conflicting_agents',
        'case_queue_name',
      ]),
    );
  });

  it('that holds an artifact has its fields at the top', () => {
    const holding = operations.filter((operation) => fieldsOf(operation).includes('artifact'));
    expect(holding.length).toBeGreaterThan(8);
    const bare = fieldsOf({ response: artifactSchema });
    for (const operation of holding) {
      expect([operation.operationId, fieldsOf(operation)]).toEqual([
        operation.operationId,
        expect.arrayContaining([...bare, 'artifact']),
      ]);
    }
    expect(fieldsOf({ response: oneArtifact })).toContain('public_url');
  });
});

import { operations, pathParams } from '@aos/contracts';
import { sampleRequest } from './sample-request.js';
import { makers, prepared } from './sample-things.js';

const teamId = '0190a0b0-0000-7000-8000-000000000000';

/** What the walks cannot do with an operation until a sample is written. */
function missingSamples(): string[] {
  return operations
    .filter(({ operationId }) => !(operationId in prepared))
    .flatMap((operation) => {
      const { body } = sampleRequest(operation, teamId);
      const needed = pathParams(operation.path).filter((name) => name !== 'teamId' && !(name in makers));
      const isTaken = operation.takes !== 'json' || operation.body.safeParse(body ?? {}).success;
      return [
        ...needed.map((name) => `${operation.operationId}: nothing makes a ${name}`),
        ...(isTaken ? [] : [`${operation.operationId}: ${JSON.stringify(body)} is no body for it`]),
      ];
    });
}

describe('samples for the walks', () => {
  it('are there for every operation; write those named here in apps/e2e/src/sample-things.ts', () => {
    expect(missingSamples()).toEqual([]);
  });
});

import { operations } from '@aos/contracts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { openApiText } from './openapi-text.js';

/** What the linter that authors of clients use says, with the rules that it recommends. */
async function problemsOf(text: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

describe('the OpenAPI document, to a linter', () => {
  it('has nothing to warn of', async () => {
    expect(await problemsOf(openApiText())).toEqual([]);
  });

  it('would have, if an operation had lost its name', async () => {
    const { operationId } = operations[0]!;
    const broken = openApiText().replace(`"operationId": "${operationId}",`, '');
    expect(await problemsOf(broken)).toEqual([expect.stringContaining('operation-operationId')]);
  });
});

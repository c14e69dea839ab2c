// `npm run conformance`: the official suite against its fixtures on the product's handler, and against the product.
import { explainedFailures, productScenarios, taskScenarios } from './expectations.js';
import { startFixtureServer } from './fixture-server.js';
import { startProduct } from './product.js';
import { ConformanceSuite, type ScenarioResult } from './suite.js';

let unexplained = 0;

function tell(target: string, revision: string, { scenario, passed, failed }: ScenarioResult): void {
  const reason = target === 'fixtures' ? explainedFailures[revision]?.[scenario] : undefined;
  const isExpected = failed > 0 === (reason !== undefined);
  if (!isExpected) unexplained += 1;
  const outcome = failed > 0 ? `${passed} passed, ${failed} failed` : `${passed} passed`;
  const note = reason === undefined ? (isExpected ? '' : 'UNEXPLAINED') : isExpected ? reason : 'PASSES NOW';
  console.log([target, revision, scenario, outcome, note].filter((part) => part !== '').join(' | '));
}

const suite = await ConformanceSuite.install();

const fixtures = await startFixtureServer();
for (const revision of Object.keys(explainedFailures)) {
  for (const result of await suite.runAll(fixtures.url, revision)) tell('fixtures', revision, result);
}
for (const scenario of taskScenarios) tell('fixtures', 'tasks', await suite.runOne(fixtures.url, scenario));
fixtures.close();

const product = await startProduct();
for (const [revision, scenarios] of Object.entries(productScenarios)) {
  const results = await suite.runAll(product.url, revision);
  for (const scenario of scenarios) {
    tell(
      'product',
      revision,
      results.find((one) => one.scenario === scenario) ?? { scenario, passed: 0, failed: 1 },
    );
  }
}
await product.close();

console.log(unexplained === 0 ? 'Every failure is explained.' : `${unexplained} results need a look.`);
process.exit(unexplained === 0 ? 0 : 1);

import { eventually } from '@aos/testing';
import { BuilderCrashes, proposes } from './builder-crashes.js';

describe('a builder run whose worker is killed', () => {
  let crashes: BuilderCrashes;

  beforeAll(async () => {
    crashes = await BuilderCrashes.prepare();
    await crashes.startWorker();
  });

  afterAll(() => crashes?.stop());

  it('during a model call ends with one proposal', async () => {
    const { server } = crashes;
    server.script({ kind: 'hang' });
    const id = await crashes.start();
    await eventually(() => expect(server.requests).toHaveLength(1));
    server.script(proposes);
    await crashes.killAndReplace();
    await crashes.expectOneProposal(id);
    expect(server.requests).toHaveLength(2);
  });
});

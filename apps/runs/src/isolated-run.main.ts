import { startProcess } from '@aos/platform';
import { loadServiceConfig, startHelper } from '@aos/service-host';
import { RunExecution } from './execution/run-execution.js';
import { service } from './service.js';

// Works on one run and ends: `node isolated-run.main.js <run id>`, with the environment of the service.
const [runId] = process.argv.slice(2);
const ending = new AbortController();
let work: Promise<void> | undefined;

await startProcess({
  name: 'isolated-run',
  start: async () => {
    // It must not stand in the way of the service's own ports.
    const environment = { ...process.env, HEALTH_PORT: undefined };
    const config = loadServiceConfig(service.name, service.configSchema, environment);
    const { app, shutdown } = await startHelper(service, config);
    work = app.get(RunExecution).execute(runId!, ending.signal);
    shutdown.add('drain', 'the run', async () => {
      ending.abort();
      await work;
    });
    return { shutdown, close: () => app.close() };
  },
});

await work;
process.kill(process.pid, 'SIGTERM');

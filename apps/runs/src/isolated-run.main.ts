import { startProcess } from '@aos/platform';
import { loadServiceConfig, startHelper } from '@aos/service';
import { Ending } from './executor/ending.js';
import { heartbeat, heartbeatEveryMs } from './executor/isolated-runs.js';
import { RunExecution } from './executor/run-execution.js';
import { service } from './service.js';

// Works on one run and ends: `node isolated-run.main.js <run id>`, with the environment of the service.
const [runId] = process.argv.slice(2);
let work: Promise<void> | undefined;

setInterval(() => process.send?.(heartbeat), heartbeatEveryMs).unref();

await startProcess({
  name: 'isolated-run',
  start: async () => {
    // It must not stand in the way of the service's own ports.
    const environment = { ...process.env, HEALTH_PORT: undefined };
    const config = loadServiceConfig(service.name, service.configSchema, environment);
    const { app, shutdown } = await startHelper(service, config);
    const ending = new Ending(config.SHUTDOWN_GRACE_MS);
    const working = app.get(RunExecution).execute(runId!, ending);
    work = working;
    shutdown.add('drain', 'the run', () => ending.begin(() => working));
    return { shutdown, close: () => app.close() };
  },
});

await work;
process.kill(process.pid, 'SIGTERM');

// The service as a process of its own, so that a test can kill and freeze it.
import { runService } from '@aos/service-host';
import { service } from '../dist/next-service.js';

await runService(service, process.env);

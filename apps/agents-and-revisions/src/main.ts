import { runService } from '@aos/service-host';
import { service } from './service.js';

await runService(service, process);

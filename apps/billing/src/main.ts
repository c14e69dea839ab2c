import { runService } from '@aos/service-host';
import { service } from './service.js';

void runService(service, process);

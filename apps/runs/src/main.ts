import { runService } from '@aos/service';
import { service } from './service.js';

void runService(service, process);

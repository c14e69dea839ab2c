import 'reflect-metadata';
import { runService } from '@aos/service-host';
import { gatewayService, startGateway } from './gateway.service.js';

void runService(gatewayService(), process, startGateway);

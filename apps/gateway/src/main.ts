import 'reflect-metadata';
import { runService } from '@aos/service';
import { gatewayService, startGateway } from './gateway.service.js';

void runService(gatewayService(), process, startGateway);

import 'reflect-metadata';
import { gatewayService, startGateway } from '@aos/gateway';
import { runService } from '@aos/service';
// Not the whole library: its stores and servers are no part of a gateway.
import { fixtureTable } from '@aos/testing/fixture';

// The gateway of the product; only its table has the fixture's operations too.
void runService(gatewayService(fixtureTable), process, startGateway);

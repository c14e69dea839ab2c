import { describeTables } from '@aos/testing';
import { service } from '../src/index.js';

describeTables(service, { table: 'agent', kind: 'constraint', name: 'agent_live_build' });

import { describeTables } from '@aos/testing';
import { service } from '../src/index.js';

describeTables(service, { table: 'run', kind: 'column', name: 'stop_reason' });

import { describeTables } from '@aos/testing';
import { service } from '../src/index.js';

describeTables(service, { table: 'delivery', kind: 'column', name: 'attempts_before' });

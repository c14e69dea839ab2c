import { describeTables } from '@aos/testing';
import { service } from '../src/index.js';

describeTables(service, { table: 'connection', kind: 'column', name: 'refresh_interrupted' });

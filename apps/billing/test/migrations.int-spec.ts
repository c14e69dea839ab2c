import { describeTables } from '@aos/testing';
import { service } from '../src/index.js';

describeTables(service, { table: 'budget', kind: 'column', name: 'are_tokens_used_up' });

// Writes the composed SQL of all projects into their folders `sql`: the spec that compares it writes it first if asked to.
import { runJest } from './jest.mjs';

process.env.WRITE_SQL = 'true';
const { isSound, status } = await runJest({ kind: 'unit', args: ['apps/e2e/src/composed-sql'] });
process.exit(isSound ? status : 1);

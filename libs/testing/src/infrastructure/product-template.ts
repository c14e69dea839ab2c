import { productServices } from '../services/built-services.js';
import { ensureTemplate } from './test-database.js';

/**
 * Makes the database from which `createProductDatabase` clones, with the schemas of all services, and gives its name.
 * It reads the built services, so it is made once for a run, outside of the tests.
 */
export async function ensureProductTemplate(serverUrl: string): Promise<string> {
  return ensureTemplate(await productServices(), serverUrl);
}

import { operations } from '@aos/contracts';
import { openApiDocument } from './openapi-document.js';

const defaultBaseUrl = 'http://127.0.0.1:8080';

/** The committed description, `apps/gateway/openapi.json`, so that a change of the interface shows in a review. */
export const openApiFile = new URL('../../openapi.json', import.meta.url);

export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(operations, defaultBaseUrl), null, 2)}\n`;
}

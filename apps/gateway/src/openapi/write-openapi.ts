import { writeFile } from 'node:fs/promises';
import { openApiFile, openApiText } from './openapi-text.js';

await writeFile(openApiFile, openApiText());

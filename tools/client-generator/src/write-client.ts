import { writeFile } from 'node:fs/promises';
import { expectedText, generatedFile } from './generated-client.js';

await writeFile(generatedFile, await expectedText());

import { writeFile } from 'node:fs/promises';
import { expectedFiles, generatedFolder } from './client-text.js';

for (const [name, text] of Object.entries(await expectedFiles())) {
  await writeFile(new URL(name, generatedFolder), text);
}

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { WRITE_SQL: isWriting } = process.env;

/** Functions of `libs/persistence` that take names, or questions which are gathered at run time. */
const notSampled = ['anyOf', 'createSchema', 'keyIdsSql', 'resealSql', 'sealedRowsSql'];

type Module = Readonly<Record<string, unknown>>;

describe('composed SQL', () => {
  const projects = ['apps', 'libs']
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name)))
    .filter((project) => existsSync(join(root, project, 'src')));

  it.each(projects)(
    'is committed in %s/sql as it is sent: run `npm run sql` after a change',
    async (name) => {
      const folder = join(root, name, 'sql');
      const composed = await composedSql(join(root, name));
      if (isWriting) write(folder, composed);
      const files = existsSync(folder) ? readdirSync(folder) : [];
      const committed = files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
      expect(Object.fromEntries(committed)).toEqual(composed);
    },
  );
});

/** Renders the composed statements of a project, by the name of the file that shows them. */
async function composedSql(project: string): Promise<Record<string, string>> {
  const names = readdirSync(join(project, 'src'), { recursive: true, encoding: 'utf8' }).sort();
  const sources = names
    .filter((name) => /(?<!\.spec)\.ts$/.test(name))
    .map((name) => join(project, 'src', name));
  const sent = new Set(sources.filter((file) => !file.endsWith('.sql.ts')).flatMap(importedStatements));
  const { samples = {} } = await load(join(project, 'test', 'sql-samples.ts'));
  const files: Record<string, string> = {};
  for (const source of sources.filter((file) => /(?<!\.tables)\.sql\.ts$/.test(file))) {
    const text = readFileSync(source, 'utf8');
    const statements = await load(source);
    for (const [, name = ''] of text.matchAll(/^export (?:const|function) (\w+)/gm)) {
      if (!sent.has(`${source} ${name}`)) continue;
      for (const [variant, sql] of variantsOf(name, statements, samples as Module)) {
        // A plain constant is read where it is written.
        if (text.includes(sql)) continue;
        const title = `-- ${name}${variant && `, ${variant}`} (${relative(project, source)})`;
        const file = basename(source, '.ts');
        files[file] ??= '-- Written by `npm run sql`; do not edit.\n';
        files[file] += `\n${title}\n${sql.replace(/^\n/, '').trimEnd()};\n`;
      }
    }
  }
  return files;
}

/** Finds the statements that a file sends: what it imports from `*.sql.ts`. */
function importedStatements(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/import \{([^}]*)\} from '(\.[^']*\.sql)\.js'/g);
  return [...imports].flatMap(([, names, path]) =>
    names!.split(',').map((name) => `${resolve(dirname(file), path!)}.ts ${name.trim().split(' ')[0]}`),
  );
}

/** Returns the texts of a statement by variant. One that a function makes has samples, by the name of the function. */
function variantsOf(name: string, statements: Module, samples: Module): [string, string][] {
  const statement = statements[name];
  const text = typeof statement === 'function' && !notSampled.includes(name) ? samples[name] : statement;
  if (text === undefined) throw new Error(`${name} has no sample in test/sql-samples.ts`);
  if (typeof text === 'string') return [['', text]];
  return text === statement ? [] : Object.entries(text as Record<string, string>);
}

async function load(file: string): Promise<Module> {
  return existsSync(file) ? ((await import(pathToFileURL(file).href)) as Module) : {};
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true, force: true });
  if (Object.keys(files).length > 0) mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

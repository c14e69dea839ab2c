import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { root } from './manifests.js';

/** A metric as the code makes it. */
export interface CodeMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly file: string;
}

const kinds: readonly string[] = ['counter', 'gauge', 'histogram'];

/** Every metric that the services make, read from the calls that make them. One that has no plain name is a fault. */
export function metricsInCode(): CodeMetric[] {
  return ['apps', 'libs']
    .flatMap((group) => sourcesIn(join(root, group)))
    .flatMap((file) => metricsOf(file))
    .sort((one, other) => one.name.localeCompare(other.name));
}

function sourcesIn(group: string): string[] {
  return readdirSync(group).flatMap((project) => {
    const source = join(group, project, 'src');
    try {
      return readdirSync(source, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
        .map((name) => join(source, name));
    } catch {
      return [];
    }
  });
}

function metricsOf(path: string): CodeMetric[] {
  const text = readFileSync(path, 'utf8');
  if (!/\.(counter|gauge|histogram)\(/.test(text)) return [];
  const file = relative(root, path);
  const found: CodeMetric[] = [];
  const visit = (node: ts.Node): void => {
    const metric = ts.isCallExpression(node) && metricOf(node, file);
    if (metric) found.push(metric);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true));
  return found;
}

function metricOf(
  { expression, arguments: [options] }: ts.CallExpression,
  file: string,
): CodeMetric | undefined {
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const type = expression.name.text;
  if (!kinds.includes(type) || !options || !ts.isObjectLiteralExpression(options)) return undefined;
  const name = valueOf(options, 'name');
  if (!name || !ts.isStringLiteral(name)) throw new Error(`${file}: a ${type} has no plain name`);
  const labels = valueOf(options, 'labelNames');
  if (labels && !ts.isArrayLiteralExpression(labels))
    throw new Error(`${file}: ${name.text} has no plain labels`);
  return {
    name: name.text,
    type: type as CodeMetric['type'],
    labels: (labels?.elements ?? []).map((element) => (element as ts.StringLiteral).text),
    file,
  };
}

function valueOf({ properties }: ts.ObjectLiteralExpression, key: string): ts.Expression | undefined {
  const property = properties.find((one) => one.name && ts.isIdentifier(one.name) && one.name.text === key);
  return property && ts.isPropertyAssignment(property) ? property.initializer : undefined;
}

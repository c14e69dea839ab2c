import { join } from 'node:path';
import ts from 'typescript';
import { root, type Manifest } from './manifests.js';

const packages: readonly [RegExp, string][] = [
  [/^monitoring\.coreos\.com\//, '@kubernetes-models/prometheus-operator'],
  [/./, 'kubernetes-models'],
];

/**
 * What Kubernetes would not take, or would drop without a word: each object is held against the type of its kind, as if
 * it were written in TypeScript, which knows required fields, values, and fields that there are not.
 */
export function typeProblems(manifests: readonly { file: string; manifest: Manifest }[]): string[] {
  const lines = manifests.map(({ manifest: { apiVersion, kind }, manifest }, index) => {
    const from = packages.find(([pattern]) => pattern.test(apiVersion))![1];
    return (
      `import type { I${kind} as Kind${index} } from '${from}/${apiVersion}/${kind}';` +
      `export const object${index}: Kind${index} = ${JSON.stringify(manifest)};`
    );
  });
  const name = join(root, 'tools', 'deployment', 'src', 'all-manifests.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const readFromDisk = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) =>
    file === name
      ? ts.createSourceFile(file, lines.join('\n'), ts.ScriptTarget.ES2022)
      : readFromDisk(file, ...rest);
  const program = ts.createProgram([name], options, host);
  const source = program.getSourceFile(name)!;
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    ({ start, messageText }) => {
      const { line } = source.getLineAndCharacterOfPosition(start!);
      const { file, manifest } = manifests[line]!;
      return `${file}: ${manifest.kind} ${manifest.metadata.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    },
  );
}

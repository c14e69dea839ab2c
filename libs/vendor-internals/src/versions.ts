import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A feature that uses private fields of packages, which any version may change. */
export interface VendorFeature {
  readonly name: string;
  /** The one version of each package whose private fields are known. */
  readonly writtenFor: Readonly<Record<string, string>>;
}

/** Explains in one line why a feature is off; undefined where the versions that it was written for are installed. */
export function explainOff(
  { name, writtenFor }: VendorFeature,
  versionOf: (packageName: string) => string | undefined = installedVersion,
): string | undefined {
  const others = Object.entries(writtenFor).flatMap(([packageName, known]) => {
    const installed = versionOf(packageName) ?? 'unknown';
    return installed === known ? [] : [`${packageName} is ${installed}, not ${known}`];
  });
  return others.length === 0 ? undefined : `${name} is off: ${others.join(', ')}`;
}

const { resolve } = createRequire(import.meta.url);

/** Reads the manifest of a package, which its exports may hide. */
function installedVersion(packageName: string): string | undefined {
  try {
    const folder = join('node_modules', packageName);
    const entry = resolve(packageName);
    const root = entry.slice(0, entry.lastIndexOf(folder) + folder.length);
    return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
  } catch {
    return undefined;
  }
}

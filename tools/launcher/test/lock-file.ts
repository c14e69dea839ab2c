/** What this check reads of one entry of `packages` in a lock file of npm. */
export interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  /** True for a link to a folder of the workspace. */
  readonly link?: boolean;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  /** True if only development packages need it. */
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

export type Platform = Readonly<Record<'os' | 'cpu' | 'libc', string>>;

export type LockPackages = Readonly<Record<string, LockEntry>>;

/**
 * The optional dependencies that the lock file names and has no entry for, as `name (of its dependent)`. npm leaves a
 * platform out without a word when that version is not in the registry for it, and then installs nothing there.
 */
export function lackingOptionals(packages: LockPackages): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => placesOf(name, path).every((place) => !(place in packages)))
      .map((name) => `${name} (of ${path || 'the root'})`),
  );
}

/** The entries that `npm ci --omit=dev` installs on a platform. */
export function installedFor(packages: LockPackages, platform: Platform): string[] {
  const isFor = (entry: LockEntry) =>
    (['os', 'cpu', 'libc'] as const).every((key) => {
      const names = entry[key] ?? [];
      const isRefused = names.includes(`!${platform[key]}`);
      return !isRefused && (names.every((name) => name.startsWith('!')) || names.includes(platform[key]));
    });
  return Object.entries(packages)
    .filter(([path, entry]) => isFromRegistry(path) && !entry.link && !entry.dev && isFor(entry))
    .map(([path]) => path);
}

/** The entries that npm would install without a look at what it got. */
export function unverified(packages: LockPackages): string[] {
  return Object.entries(packages)
    .filter(([path, entry]) => isFromRegistry(path) && !entry.link && !entry.integrity)
    .map(([path]) => path);
}

/** The entries that name the host they came from, which need not be there for others. */
export function boundToHost(packages: LockPackages): string[] {
  return Object.entries(packages)
    .filter(([, { resolved }]) => resolved !== undefined && /^[a-z+]+:/.test(resolved))
    .map(([path]) => path);
}

/** Where Node looks for a package, from the folder of the one that asks upwards. */
function placesOf(name: string, from: string): string[] {
  const folders = from === '' ? [] : from.split('/');
  const places: string[] = [];
  for (let depth = folders.length; depth >= 0; depth--) {
    // Node never looks into node_modules/node_modules.
    if (folders[depth - 1] === 'node_modules') continue;
    places.push([...folders.slice(0, depth), 'node_modules', name].join('/'));
  }
  return places;
}

function isFromRegistry(path: string): boolean {
  return path.startsWith('node_modules/') || path.includes('/node_modules/');
}

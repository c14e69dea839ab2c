import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { documentsIn, manifestsIn } from './manifests.js';

interface Compose {
  readonly services: { readonly bucket: { readonly entrypoint: readonly string[] } };
}

const [{ services }] = documentsIn('docker/compose.yaml') as [Compose];
const [objectStore] = manifestsIn('k8s/overlays/dev')
  .map(({ manifest }) => manifest)
  .filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'object-store');
const { lifecycle } = objectStore!.spec.template.spec.containers[0]!;

const shells = {
  /** It has the bucket once it was asked to make it for the third time. */
  late: `printf '> '; cat > "$0.asked"; echo >> "$0.times"
    if [ $(wc -l < "$0.times") -ge 3 ]; then echo '  aos-old\tsize:0\tchunk:0'; echo '  aos\tsize:0\tchunk:0'; fi`,
  /** It has another bucket, and says what it could not do; it ends well all the same. */
  failing: `cat > "$0.asked"; echo 'error: create bucket aos : no filer'; echo '  aos-old\tsize:0\tchunk:0'`,
};

/** How the step that makes the bucket ends, with a shell of the store that does this. */
describe('the bucket of the object store', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bucket-'));
    // Waiting takes no time here.
    await program('sleep', 'exit 0');
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  async function program(name: string, script: string): Promise<void> {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }

  async function run([file, ...args]: readonly string[]): Promise<number | null> {
    const env = { PATH: `${folder}${delimiter}${process.env['PATH']}` };
    const child = spawn(file!, args, { env, stdio: 'ignore' });
    return new Promise((resolve) => child.on('close', resolve));
  }

  it('is there when the step of the compose file ends well, and not before', async () => {
    const { entrypoint } = services.bucket;
    await program('weed', shells.failing);
    expect(await run(entrypoint)).not.toBe(0);
    await program('weed', shells.late);
    expect([await run(entrypoint), await run(entrypoint), await run(entrypoint)]).toEqual([1, 1, 0]);
  });

  it('is there when the pod of a development cluster has started', async () => {
    await program('weed', shells.late);
    expect(await run(lifecycle!.postStart!.exec.command)).toBe(0);
    expect(await run(['sh', '-c', `[ $(wc -l < ${join(folder, 'weed.times')}) -eq 3 ]`])).toBe(0);
  });
});

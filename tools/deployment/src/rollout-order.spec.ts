import { kustomizationOf, manifestsIn, type Annotations, type Manifest } from './manifests.js';

/** What Argo CD is told of an object that it applies. */
interface Applied {
  readonly name: string;
  readonly wave: number;
}

const waveOf = (annotations: Annotations = {}): number =>
  Number(annotations['argocd.argoproj.io/sync-wave'] ?? 0);
const appliedAs = (kind: string, { metadata }: Manifest): Applied => ({
  name: `${kind} ${metadata.name}`,
  wave: waveOf(metadata.annotations),
});

/** Everything of an overlay; a secret that an operator makes is there when what it makes it from is. */
function objectsOf(overlay: string): Applied[] {
  const folder = `k8s/overlays/${overlay}`;
  const written = ['k8s/base', folder].flatMap(manifestsIn).map(({ manifest }) => manifest);
  const { secretGenerator = [], generatorOptions } = kustomizationOf(folder);
  const { configMapGenerator = [] } = kustomizationOf('k8s/base');
  return [
    ...written.map((manifest) => appliedAs(manifest.kind.replace(/^External/, ''), manifest)),
    ...secretGenerator.map(({ name }) => ({
      name: `Secret ${name}`,
      wave: waveOf(generatorOptions?.annotations),
    })),
    ...configMapGenerator.map(({ name, options }) => ({
      name: `ConfigMap ${name}`,
      wave: waveOf(options?.annotations),
    })),
  ];
}

const baseOf = (kind: string): Manifest[] =>
  manifestsIn('k8s/base')
    .map(({ manifest }) => manifest)
    .filter((manifest) => manifest.kind === kind);
const [job] = baseOf('Job') as [Manifest];
const jobWave = waveOf(job.metadata.annotations);

describe('a rollout by Argo CD', () => {
  it('has the job that migrates among what it applies, anew each time', () => {
    // A hook of the phase before would come before everything else, whatever the waves.
    expect(job.metadata.annotations).toMatchObject({
      'argocd.argoproj.io/hook': 'Sync',
      'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
    });
  });

  it('lets the job come before every service', () => {
    const services = baseOf('Deployment').map((deployment) => waveOf(deployment.metadata.annotations));
    expect(services.length).toBeGreaterThan(0);
    expect(Math.min(...services)).toBeGreaterThan(jobWave);
  });

  it('keeps the settings of before until those that read them have rolled', () => {
    const { configMapGenerator = [] } = kustomizationOf('k8s/base');
    expect(configMapGenerator).not.toEqual([]);
    for (const { options } of configMapGenerator)
      expect(options?.annotations).toMatchObject({ 'argocd.argoproj.io/sync-options': 'PruneLast=true' });
  });

  describe.each(['dev', 'production'])('of the overlay %s', (overlay) => {
    const objects = objectsOf(overlay);
    const isBeforeTheJob = (name: string): boolean =>
      objects.some((object) => object.name === name && object.wave < jobWave);

    it('has all that the job refers to in an earlier wave', () => {
      const { serviceAccountName, initContainers = [], containers } = job.spec.template.spec;
      const sources = [...initContainers, ...containers].flatMap(({ envFrom }) => envFrom);
      const names = new Set([
        `ServiceAccount ${serviceAccountName}`,
        ...sources.flatMap(({ configMapRef }) => (configMapRef ? [`ConfigMap ${configMapRef.name}`] : [])),
        ...sources.flatMap(({ secretRef }) => (secretRef ? [`Secret ${secretRef.name}`] : [])),
      ]);
      expect(names.size).toBeGreaterThan(3);
      expect([...names].filter((name) => !isBeforeTheJob(name))).toEqual([]);
    });

    it('has the namespace, its network and stores of its own in an earlier wave', () => {
      const stores = ['postgres', 'redis', 'object-store'].flatMap((store) => [
        `Deployment ${store}`,
        `Service ${store}`,
      ]);
      const needed = objects.filter(
        ({ name }) => /^(Namespace|NetworkPolicy) /.test(name) || stores.includes(name),
      );
      expect(needed.map(({ name }) => name.split(' ')[0])).toEqual(
        expect.arrayContaining(['Namespace', 'NetworkPolicy']),
      );
      expect(needed.filter(({ wave }) => wave >= jobWave)).toEqual([]);
    });
  });
});

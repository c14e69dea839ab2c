import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { contractTable, exchangesSecrets, jobs, roleNames, serviceNames } from '@aos/contracts';
import { parse } from 'yaml';
import {
  folders,
  kustomizationOf,
  manifestsIn,
  root,
  settingsIn,
  type Container,
  type Manifest,
} from './manifests.js';
import { settingsOfServices } from './settings.js';
import { typeProblems } from './typed-manifests.js';

const base = manifestsIn('k8s/base');
const ofKind = (kind: string) =>
  base.filter(({ manifest }) => manifest.kind === kind).map((one) => one.manifest);
const deployments = ofKind('Deployment');
const rows = deployments.map((deployment) => [deployment.metadata.name, deployment] as const);
const containerOf = ({ spec }: Manifest): Container => spec.template.spec.containers[0]!;
const appOf = ({ image }: Container): string => image.replace(/^aos\//, '').replace(/-browser$/, '');

/** Kinds of operators that a cluster may have, whose types no package brings. */
const untyped = ['ExternalSecret'];

describe('the manifests of Kubernetes', () => {
  it('are what their kinds allow, field by field', () => {
    const typed = folders.flatMap(manifestsIn).filter(({ manifest }) => !untyped.includes(manifest.kind));
    expect(typeProblems(typed)).toEqual([]);
  });

  it('would be refused for a field that there is not, a value of another type, and a field that lacks', () => {
    const planted = (file: string, spec: object) => ({
      file,
      manifest: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'x' },
        spec,
      } as unknown as Manifest,
    });
    const template = { metadata: {}, spec: { containers: [{ name: 'a', image: 'b' }] } };
    const selector = { matchLabels: {} };
    const specs = {
      good: { selector, template },
      unknown: { selector, template, replica: 1 },
      mistyped: { selector, template, replicas: 'two' },
      missing: { selector },
    };
    const problems = typeProblems(Object.entries(specs).map(([file, spec]) => planted(file, spec)));
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(['unknown', 'mistyped', 'missing']);
  });

  it.each(folders)('%s lists every file that it has, and no other', (folder) => {
    const { resources } = kustomizationOf(folder);
    const files = new Set(manifestsIn(folder).map(({ file }) => file.slice(folder.length + 1)));
    expect(new Set(resources.filter((name) => name.endsWith('.yaml')))).toEqual(files);
    for (const name of resources) expect(existsSync(join(root, folder, name))).toBe(true);
  });

  it('patch and name what there is', () => {
    const names = new Set(base.map(({ manifest }) => `${manifest.kind} ${manifest.metadata.name}`));
    const images = new Set(deployments.map((deployment) => containerOf(deployment).image));
    for (const folder of folders) {
      const { patches = [], images: renamed = [], replicas = [] } = kustomizationOf(folder);
      for (const { target, patch } of patches) {
        const { kind } = parse(patch) as Manifest;
        expect(kind).toBe(target.kind);
        const isThere = [...names].some((name) => name.startsWith(`${target.kind} ${target.name ?? ''}`));
        expect([target, isThere]).toEqual([target, true]);
      }
      for (const { name } of renamed) expect(images).toContain(name);
      for (const { name } of replicas) expect(names).toContain(`Deployment ${name}`);
    }
    expect(new Set(kustomizationOf('k8s/overlays/production').images!.map(({ name }) => name))).toEqual(
      images,
    );
  });
});

describe('a service in Kubernetes', () => {
  const known = settingsOfServices();

  it('is each of the product, and the workers of runs apart from their API', () => {
    expect(new Set(deployments.map((deployment) => appOf(containerOf(deployment))))).toEqual(
      new Set(serviceNames),
    );
    const roles = deployments
      .filter((deployment) => appOf(containerOf(deployment)) === 'runs')
      .map((deployment) => containerOf(deployment).env?.find(({ name }) => name === 'RUN_WORKERS')?.value);
    expect(roles.toSorted()).toEqual(['serve', 'work']);
  });

  it.each(rows)('%s is given settings that it has', (_, deployment) => {
    const container = containerOf(deployment);
    const app = appOf(container) as keyof typeof known;
    expect(known[app]).toEqual(expect.arrayContaining((container.env ?? []).map(({ name }) => name)));
  });

  it('is given common settings that some service has, and secrets that are not among them', () => {
    const all = new Set(Object.values(known).flat());
    const settings = ['k8s/base', 'k8s/overlays/dev', 'k8s/overlays/production'].flatMap((folder) =>
      Object.keys(settingsIn(folder)),
    );
    expect(settings).toEqual(expect.arrayContaining(['PUBLIC_BASE_URL', 'S3_ENDPOINT']));
    const secrets = ['dev', 'production'].map((overlay) => {
      const { secretGenerator = [] } = kustomizationOf(`k8s/overlays/${overlay}`);
      const external = manifestsIn(`k8s/overlays/${overlay}`)
        .filter(({ manifest }) => manifest.kind === 'ExternalSecret')
        .map(({ manifest }) => manifest as unknown as { spec: { data: { secretKey: string }[] } });
      return [
        ...secretGenerator.flatMap(({ literals }) => literals.map((literal) => literal.split('=')[0]!)),
        ...external.flatMap(({ spec }) => spec.data.map(({ secretKey }) => secretKey)),
      ];
    });
    const isOfProvision = (name: string) => name.startsWith('PROVISION_');
    for (const name of [...settings, ...secrets.flat()].filter((name) => !isOfProvision(name)))
      expect([name, all.has(name)]).toEqual([name, true]);
    for (const names of secrets)
      expect(names).toEqual(
        expect.arrayContaining([
          'DATABASE_URL',
          'REDIS_URL',
          'SECRETS_KEYS',
          'ADMIN_KEY',
          'RPC_KEYS',
          'LINK_KEYS',
        ]),
      );
    for (const name of secrets.flat()) expect(settings).not.toContain(name);
  });

  it.each(rows)('%s has accounts and keys of its own, and of no other', (name, deployment) => {
    const secrets = containerOf(deployment).envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []);
    const ofRoles = roleNames.map((role) => `aos-${role}`);
    expect(secrets.filter((secret) => ofRoles.includes(secret))).toEqual([`aos-${name}`]);
    expect(secrets).not.toEqual(expect.arrayContaining(['aos-migrate']));
    expect(secrets).not.toEqual(expect.arrayContaining(['aos-provision']));
  });

  it.each(['dev', 'production'])('shares keys with those alone that need them, in %s', (overlay) => {
    const { secretGenerator = [] } = kustomizationOf(`k8s/overlays/${overlay}`);
    const external = manifestsIn(`k8s/overlays/${overlay}`)
      .filter(({ manifest }) => manifest.kind === 'ExternalSecret')
      .map(
        ({ manifest }) =>
          manifest as unknown as { metadata: { name: string }; spec: { data: { secretKey: string }[] } },
      );
    const held = new Map([
      ...secretGenerator.map(
        ({ name, literals }) => [name, literals.map((literal) => literal.split('=')[0]!)] as const,
      ),
      ...external.map(
        ({ metadata, spec }) => [metadata.name, spec.data.map(({ secretKey }) => secretKey)] as const,
      ),
    ]);
    for (const role of roleNames) {
      const keys = held.get(`aos-${role}`);
      expect(keys).toEqual(expect.arrayContaining(['DATABASE_URL', 'REDIS_URL', 'SECRETS_KEYS']));
      expect([role, keys!.includes('RPC_KEYS')]).toEqual([role, exchangesSecrets(role, contractTable)]);
      expect([role, keys!.includes('LINK_KEYS')]).toEqual([role, ['gateway', 'runs'].includes(role)]);
    }
    expect(held.has('aos-stores')).toBe(false);
  });

  it('has the key of the administrator only if it is the gateway', () => {
    const holders = deployments.filter((deployment) =>
      containerOf(deployment).envFrom.some(({ secretRef }) => secretRef?.name === 'aos-admin'),
    );
    expect(holders.map(({ metadata }) => metadata.name)).toEqual(['gateway']);
  });

  it.each(rows)('%s is asked for its health where it tells it', (_, deployment) => {
    const { startupProbe, readinessProbe, livenessProbe, ports } = containerOf(deployment);
    const { HEALTH_PORT: port } = settingsIn('k8s/base');
    expect(ports).toContainEqual({ name: 'health', containerPort: Number(port) });
    expect([startupProbe, readinessProbe, livenessProbe].map((probe) => probe!.httpGet)).toEqual([
      { path: '/healthz', port: 'health' },
      { path: '/readyz', port: 'health' },
      { path: '/healthz', port: 'health' },
    ]);
  });

  it.each(rows)('%s may do nothing that it need not', (_, { spec, metadata }) => {
    const { securityContext, containers, terminationGracePeriodSeconds: grace } = spec.template.spec;
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: expect.any(Object) });
    for (const container of containers) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources).toMatchObject({
        requests: expect.any(Object),
        limits: { memory: expect.any(String) },
      });
    }
    // More than a service takes for its end.
    expect(grace).toBeGreaterThan(15);
    expect(spec.selector.matchLabels).toEqual({ 'app.kubernetes.io/name': metadata.name });
    expect(spec.template.metadata.labels).toMatchObject({
      'app.kubernetes.io/name': metadata.name,
      'app.kubernetes.io/part-of': 'aos',
    });
  });

  it('starts anew when a setting changes, for the name of the settings has a hash of them', () => {
    for (const folder of folders) {
      expect(manifestsIn(folder).filter(({ manifest }) => manifest.kind === 'ConfigMap')).toEqual([]);
      const { configMapGenerator = [], generatorOptions } = kustomizationOf(folder);
      for (const { name, options } of configMapGenerator.filter(({ name }) => name === 'aos-settings'))
        expect([name, { ...generatorOptions, ...options }]).not.toEqual([
          name,
          expect.objectContaining({ disableNameSuffixHash: true }),
        ]);
    }
    const readers = [...deployments, ...ofKind('Job')].flatMap(({ spec }) => [
      ...(spec.template.spec.initContainers ?? []),
      ...spec.template.spec.containers,
    ]);
    for (const { envFrom } of readers)
      expect(envFrom).toContainEqual({ configMapRef: { name: 'aos-settings' } });
    expect(Object.keys(settingsIn('k8s/base'))).not.toEqual([]);
  });

  it('has a budget for disruptions, and grows by what it measures', () => {
    const names = deployments.map(({ metadata }) => metadata.name).toSorted();
    expect(
      ofKind('PodDisruptionBudget')
        .map(({ metadata }) => metadata.name)
        .toSorted(),
    ).toEqual(names);
    const queues = jobs.map(({ name }) => name);
    for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
      expect(names).toContain(spec.scaleTargetRef.name);
      for (const { external } of spec.metrics) {
        if (external) expect(queues).toContain(external.metric.selector.matchLabels.queue);
      }
    }
  });

  it('is migrated by a job, each with its own image', () => {
    const [job] = ofKind('Job');
    const { initContainers: containers = [], containers: after } = job!.spec.template.spec;
    expect(after.map(({ args }) => args)).toEqual([['node', 'dist/bundle/main.js', 'provision']]);
    expect(after[0]!.env!.map(({ name }) => name).toSorted()).toEqual(
      roleNames
        .flatMap((role) =>
          (['DATABASE_URL', 'REDIS_URL'] as const).map(
            (setting) => `${role.replaceAll('-', '_').toUpperCase()}_${setting}`,
          ),
        )
        .toSorted(),
    );
    expect(new Set(containers.map(({ name }) => name))).toEqual(new Set(serviceNames));
    for (const container of containers) {
      expect(container).toMatchObject({
        image: `aos/${container.name}`,
        args: ['node', 'dist/bundle/main.js', 'migrate'],
      });
    }
    expect(settingsIn('k8s/base')).toMatchObject({ MIGRATE_ON_START: 'false' });
    // Its log can be read for a while, and then it goes by itself.
    expect(job!.spec.ttlSecondsAfterFinished).toBeGreaterThanOrEqual(3600);
  });
});

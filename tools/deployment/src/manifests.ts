import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

export type Annotations = Readonly<Record<string, string>>;

/** What is read of a Kubernetes object; its own kind has the rest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Annotations };
  readonly spec: Spec;
  readonly data?: Readonly<Record<string, string>>;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly {
    readonly secretRef?: { readonly name: string };
    readonly configMapRef?: { readonly name: string };
  }[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly securityContext?: object;
  readonly resources?: object;
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly lifecycle?: { readonly postStart?: { readonly exec: { readonly command: readonly string[] } } };
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Spec {
  readonly selector: { readonly matchLabels: object };
  readonly template: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly spec: {
      readonly serviceAccountName?: string;
      readonly initContainers?: readonly Container[];
      readonly containers: readonly Container[];
      readonly securityContext: object;
      readonly terminationGracePeriodSeconds: number;
    };
  };
  readonly podSelector: object;
  readonly egress?: readonly {
    readonly to: readonly {
      readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
      readonly namespaceSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
    }[];
    readonly ports?: readonly { readonly protocol: string; readonly port: number | string }[];
  }[];
  readonly ttlSecondsAfterFinished?: number;
  readonly scaleTargetRef: { readonly name: string };
  readonly metrics: readonly {
    readonly external?: {
      readonly metric: { readonly name: string; readonly selector: { matchLabels: { queue: string } } };
    };
  }[];
}

export interface Kustomization {
  readonly resources: readonly string[];
  readonly images?: readonly { readonly name: string }[];
  readonly replicas?: readonly { readonly name: string }[];
  readonly patches?: readonly {
    readonly target: { readonly kind: string; readonly name?: string };
    readonly patch: string;
  }[];
  /** Of all that is generated here. */
  readonly generatorOptions?: { readonly annotations?: Annotations };
  readonly secretGenerator?: readonly { readonly name: string; readonly literals: readonly string[] }[];
  readonly configMapGenerator?: readonly {
    readonly name: string;
    readonly behavior?: 'merge';
    readonly literals?: readonly string[];
    readonly files?: readonly string[];
    readonly options?: { readonly annotations?: Annotations; readonly disableNameSuffixHash?: boolean };
  }[];
}

/** The documents of a file of YAML; one that cannot be read is told with its place. */
export function documentsIn(path: string): unknown[] {
  return parseAllDocuments(readFileSync(join(root, path), 'utf8'), { merge: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]!.message}`);
    return document.toJS() as unknown;
  });
}

export const folders = ['k8s/base', 'k8s/monitoring', 'k8s/overlays/dev', 'k8s/overlays/production'] as const;

export function kustomizationOf(folder: string): Kustomization {
  return documentsIn(`${folder}/kustomization.yaml`)[0] as Kustomization;
}

/** What a folder says of the settings of all services. */
export function settingsIn(folder: string): Readonly<Record<string, string>> {
  const { configMapGenerator = [] } = kustomizationOf(folder);
  const literals = configMapGenerator
    .filter(({ name }) => name === 'aos-settings')
    .flatMap((generator) => generator.literals ?? []);
  return Object.fromEntries(
    literals.map((literal) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(literal)!;
      return [name!, value!];
    }),
  );
}

/** Every object of a folder, with the file that it is in. */
export function manifestsIn(folder: string): { file: string; manifest: Manifest }[] {
  const files = readdirSync(join(root, folder)).filter(
    (name) => name.endsWith('.yaml') && name !== 'kustomization.yaml',
  );
  return files.flatMap((name) => {
    const file = relative(root, join(root, folder, name));
    return documentsIn(file).map((manifest) => ({ file, manifest: manifest as Manifest }));
  });
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestsIn, root, type Manifest } from './manifests.js';

const policies = manifestsIn('k8s/base')
  .map(({ manifest }) => manifest)
  .filter(({ kind }) => kind === 'NetworkPolicy');
const policyOf = (name: string): Manifest => policies.find(({ metadata }) => metadata.name === name)!;

/** The ranges of a list in the rules that the services keep. */
function rangesOf(name: string): string[] {
  const rules = readFileSync(join(root, 'libs/egress/src/rules/address-rules.ts'), 'utf8');
  const [, list = ''] = new RegExp(`const ${name} = ranges\\(([^]*?)\\);\\n`).exec(rules) ?? [];
  const ranges = [...list.matchAll(/'([0-9a-f:.]+\/\d+)'/g)].map(([, range]) => range!);
  expect([name, ranges.length > 0]).toEqual([name, true]);
  return ranges;
}

/** A range of IPv4 within that of NAT64. */
function withinNat64(range: string): string {
  const [address, bits] = range.split('/') as [string, string];
  const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
  const { hostname } = new URL(
    `http://[64:ff9b::${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}]`,
  );
  return `${hostname.slice(1, -1)}/${96 + Number(bits)}`;
}

describe('the network of the services in Kubernetes', () => {
  it('lets them reach the world but for the ranges that they refuse themselves', () => {
    const blocks = policyOf('outside').spec.egress!.flatMap(({ to }) => to.map(({ ipBlock }) => ipBlock!));
    const private4 = rangesOf('forbiddenIPv4');
    expect(blocks).toEqual([
      { cidr: '0.0.0.0/0', except: private4 },
      { cidr: rangesOf('globalUnicast')[0], except: rangesOf('forbiddenIPv6') },
      { cidr: rangesOf('nat64')[0], except: private4.map(withinNat64) },
    ]);
  });

  it('lets all of them send their traces to a collector in the namespace of the monitoring', () => {
    const { podSelector, egress } = policyOf('traces').spec;
    expect(podSelector).toEqual({ matchLabels: { 'app.kubernetes.io/part-of': 'aos' } });
    expect(egress).toEqual([
      {
        to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
        ports: [{ protocol: 'TCP', port: 4318 }],
      },
    ]);
  });
});

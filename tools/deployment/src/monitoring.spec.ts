import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobs } from '@aos/contracts';
import { documentsIn, kustomizationOf, root } from './manifests.js';
import { metricsInCode } from './metrics-in-code.js';
import { readQuery } from './promql.js';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat?: string }[];
}

const made = metricsInCode();
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** What every scrape adds, and what Node and Prometheus bring themselves. */
const everywhere = ['service', 'pod', 'namespace', 'instance', 'job'];
const foreign = [
  'up',
  'nodejs_eventloop_lag_p99_seconds',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
];

/** The names under which Prometheus keeps a metric, with their labels. */
const series = new Map<string, readonly string[]>([
  ...foreign.map((name) => [name, []] as const),
  ...made.flatMap(({ name, type, labels }) =>
    type === 'histogram'
      ? [
          [`${name}_bucket`, [...labels, 'le']] as const,
          [`${name}_sum`, labels] as const,
          [`${name}_count`, labels] as const,
        ]
      : [[name, labels] as const],
  ),
]);

/** What is wrong with a query, given the metrics that there are. */
function problemsOf(query: string): string[] {
  const { selected, grouping } = readQuery(query);
  const known = new Set([...everywhere, ...selected.flatMap(({ metric }) => series.get(metric) ?? [])]);
  return [
    ...selected.flatMap(({ metric, labels }) => {
      const own = series.get(metric);
      if (!own) return [`there is no metric ${metric}`];
      const foreignLabels = labels.filter((label) => !own.includes(label) && !everywhere.includes(label));
      return foreignLabels.map((label) => `${metric} has no label ${label}`);
    }),
    ...grouping.filter((label) => !known.has(label)).map((label) => `nothing here has a label ${label}`),
  ];
}

const rules = (
  documentsIn('k8s/monitoring/alerts.yaml')[0] as { spec: { groups: { rules: Rule[] }[] } }
).spec.groups.flatMap((group) => group.rules);

const dashboard = JSON.parse(read('k8s/monitoring/dashboard.json')) as { panels: Panel[] };
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr] as const),
);

/** The addresses of sections, as GitHub makes them of headings. */
const sections = new Set(
  [...read('docs/runbook.md').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  ),
);

describe('the metrics', () => {
  it('have names with a unit, and labels that have few values', () => {
    for (const { name, type, labels } of made) {
      expect(name).toMatch(type === 'counter' ? /_total$/ : /^(aos|bullmq)_[a-z_]+$/);
      if (type === 'histogram') expect(name).toMatch(/_seconds$/);
      for (const label of labels) expect(label).not.toMatch(/(^|_)(id|team|run|agent|user|url|path)($|_)/);
    }
    expect(new Set(made.map(({ name }) => name)).size).toBe(made.length);
  });

  it('are all in the table of docs/observability.md, as they are', () => {
    const rows = [...read('docs/observability.md').matchAll(/^\| `(\w+)` +\| (\w+) +\| (.*?) +\|/gm)].map(
      ([, name, type, labels]) => ({
        name,
        type,
        labels: [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label),
      }),
    );
    const byName = (one: { name?: string }, other: { name?: string }) => (one.name! < other.name! ? -1 : 1);
    expect(rows.sort(byName)).toEqual(
      made.map(({ name, type, labels }) => ({ name, type, labels: [...labels] })).sort(byName),
    );
  });
});

describe('the alerts', () => {
  it('are rolled out to production', () => {
    expect(kustomizationOf('k8s/overlays/production').resources).toContain('../../monitoring');
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s asks for what there is, and is explained',
    (_name, rule) => {
      expect(problemsOf(rule.expr)).toEqual([]);
      expect(['critical', 'warning']).toContain(rule.labels.severity);
      expect(rule.annotations.summary).not.toBe('');
      const [, anchor] = /\/docs\/runbook\.md#(.+)$/.exec(rule.annotations.runbook_url) ?? [];
      expect(sections).toContain(anchor);
    },
  );

  it('are all named in the runbook, which names no other', () => {
    const named = [...read('docs/runbook.md').matchAll(/^#+ (Aos\w+)$/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });

  it('name queues that there are', () => {
    const queues = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/queue="([^"]+)"/g)].map(([, queue]) => queue),
    );
    for (const queue of queues) expect(jobs.map(({ name }) => name)).toContain(queue);
  });
});

describe('the dashboard', () => {
  it.each(queries)('%s: %s', (_title, expr) => {
    // Grafana fills in the interval and what was chosen.
    const filled = expr.replaceAll('$__rate_interval', '5m').replaceAll('$namespace', 'aos');
    expect(problemsOf(filled)).toEqual([]);
  });

  it('shows requests, calls, queues, runs, steps, deliveries, lag, duplicates, repairs, waits and slots', () => {
    const shown = queries.flatMap(
      ([, expr]) => readQuery(expr.replaceAll('$__rate_interval', '5m')).selected,
    );
    const names = shown.map(({ metric }) => metric.replace(/_(bucket|sum|count)$/, ''));
    const wanted = made.filter(({ name }) => name.startsWith('aos_')).map(({ name }) => name);
    const left = wanted.filter((name) => !names.includes(name));
    expect(left).toEqual([]);
  });
});

describe('the check of queries', () => {
  it.each([
    ['sum(aos_no_such_metric)', 'there is no metric aos_no_such_metric'],
    ['sum(aos_runs{team="x"})', 'aos_runs has no label team'],
    ['sum by (team) (aos_runs)', 'nothing here has a label team'],
  ])('refuses %s', (query, problem) => {
    expect(problemsOf(query)).toEqual([problem]);
  });

  it('refuses what is no query', () => {
    expect(() => readQuery('sum(aos_runs')).toThrow('no query');
  });
});

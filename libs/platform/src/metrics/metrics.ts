import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export type { Counter, Gauge, Histogram } from 'prom-client';

/** Seconds; from a handler without a hop (1 ms) to a slow model call (30 s and more). */
export const latencyBuckets: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

export interface MetricOptions<Label extends string> {
  name: string;
  help: string;
  labelNames?: readonly Label[];
}

export interface HistogramOptions<Label extends string> extends MetricOptions<Label> {
  buckets?: readonly number[];
}

export interface GaugeOptions<Label extends string> extends MetricOptions<Label> {
  /** Called at every scrape, for values that are cheap to read but not worth following. */
  collect?: (gauge: Gauge<Label>) => void | Promise<void>;
  /** For values that cost something to read: `collect` is not called again before its last call is so old. */
  maxAgeMs?: number;
}

/** Each look wakes the process. At prom-client's own 10 ms that was most of what an idle one did. */
const eventLoopLookMs = 100;

type Kind = 'counter' | 'histogram' | 'gauge';

let ofProcess: Registry | undefined;

/** What Node tells of the process. Once for all services that share it: it has a timer, and looks at every collection. */
function processMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: eventLoopLookMs });
  }
  return ofProcess;
}

/**
 * The metrics of one service in a registry of their own, with those of its process, each with the label `service`.
 * A metric is made once by its name; asking again gives the same one.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly shapes = new Map<string, string>();

  constructor(private readonly service: string) {
    processMetrics();
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  counter<Label extends string = never>(options: MetricOptions<Label>): Counter<Label> {
    return this.once<Counter<Label>, Label>('counter', options, (base) => new Counter<Label>(base));
  }

  histogram<Label extends string = never>(options: HistogramOptions<Label>): Histogram<Label> {
    const buckets = [...(options.buckets ?? latencyBuckets)];
    return this.once<Histogram<Label>, Label>(
      'histogram',
      options,
      (base) => new Histogram<Label>({ ...base, buckets }),
    );
  }

  gauge<Label extends string = never>(options: GaugeOptions<Label>): Gauge<Label> {
    const collect = options.collect && atMostEvery(options.maxAgeMs ?? 0, options.collect);
    return this.once<Gauge<Label>, Label>('gauge', options, (base) => {
      if (!collect) return new Gauge<Label>(base);
      const gauge: Gauge<Label> = new Gauge<Label>({ ...base, collect: () => collect(gauge) });
      return gauge;
    });
  }

  /** All metrics in the Prometheus text format. */
  text(): Promise<string> {
    const all = Registry.merge([this.registry, processMetrics()]);
    all.setDefaultLabels({ service: this.service });
    return all.metrics();
  }

  private once<Metric, Label extends string>(
    kind: Kind,
    { name, help, labelNames = [] }: MetricOptions<Label>,
    make: (base: { name: string; help: string; labelNames: Label[]; registers: Registry[] }) => Metric,
  ): Metric {
    // Two parts of a program that mean different things by one name would spoil each other's numbers.
    const shape = `${kind}(${[...labelNames].sort().join()})`;
    const known = this.shapes.get(name);
    if (known !== undefined && known !== shape) {
      throw new Error(`The metric ${name} exists as ${known}, not as ${shape}.`);
    }
    if (known !== undefined) return this.registry.getSingleMetric(name) as Metric;
    const metric = make({ name, help, labelNames: [...labelNames], registers: [this.registry] });
    this.shapes.set(name, shape);
    return metric;
  }
}

/** Scrapes at the same time share one call, and a failed one is tried again at the next. */
function atMostEvery<Argument>(
  maxAgeMs: number,
  call: (argument: Argument) => void | Promise<void>,
): (argument: Argument) => Promise<void> {
  let last: Promise<void> | undefined;
  let calledAt = -Infinity;
  return (argument) => {
    if (last && performance.now() - calledAt < maxAgeMs) return last;
    calledAt = performance.now();
    last = Promise.resolve(argument)
      .then(call)
      .catch((error: unknown) => {
        calledAt = -Infinity;
        throw error;
      });
    return last;
  };
}

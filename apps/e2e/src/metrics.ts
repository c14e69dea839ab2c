/** One line of what Prometheus reads. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a process shows of itself at the port of its health. */
export async function readMetrics(healthUrl: string): Promise<Sample[]> {
  const answer = await fetch(`${healthUrl}/metrics`);
  if (!answer.ok) throw new Error(`${healthUrl}: ${answer.status}`);
  return (await answer.text()).split('\n').flatMap((line) => sampleIn(line) ?? []);
}

/** The sum of all samples of the name that have the labels; 0 where there is none. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  return samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

function sampleIn(line: string): Sample | undefined {
  const match = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line);
  if (!match) return undefined;
  const [, name, labels = '', value] = match;
  const pairs = [...labels.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, label, text]) => [label, text]);
  return { name: name!, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
}

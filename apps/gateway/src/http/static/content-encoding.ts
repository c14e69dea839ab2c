/** Compressed forms, the best first. */
export const contentEncodings = ['br', 'gzip'] as const;

export type ContentEncoding = (typeof contentEncodings)[number];

/** The form that the client weighs highest; of equal ones the first. None where it wants the bytes as they are. */
export function acceptedEncoding(header: string | undefined): ContentEncoding | undefined {
  const weights = weightsIn(header ?? '');
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const best = contentEncodings.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
  const isWanted = weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0);
  return isWanted ? best : undefined;
}

function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='));
    if (name !== '') weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  return weights;
}

/** One line of the report: a figure, what it is held against, and what it should be. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly baseline?: string;
  readonly ratio?: number;
  readonly target?: string;
  readonly met?: boolean;
}

export function printReport(figures: readonly Figure[]): void {
  const rows = figures.map(({ name, value, baseline = '', ratio, target = '', met }) => [
    name,
    value,
    baseline,
    ratio === undefined ? '' : ratio.toFixed(2),
    target,
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ]);
  const table = [['figure', 'measured', 'baseline', 'ratio', 'target', ''], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}

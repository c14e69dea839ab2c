/** Chooses which of the values of a rule a walk tries in its nth case. */
export type Choice = <T>(values: readonly T[], nth: number) => readonly T[];

export const everyValue: Choice = (values) => values;

/** So many values per case. Over all cases of the walk every value is tried. */
export function someValues(count: number): Choice {
  return (values, nth) => {
    const start = (nth * count) % values.length;
    return [...values.slice(start), ...values.slice(0, start)].slice(0, count);
  };
}

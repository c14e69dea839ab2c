import { StatementForms } from './statement-parts.js';

interface Part {
  readonly name: string;
  concerns?(item: number): boolean;
}

const always: Part = { name: 'always' };
const even: Part = { name: 'even', concerns: (item) => item % 2 === 0 };
const large: Part = { name: 'large', concerns: (item) => item > 100 };

describe('the forms of a statement', () => {
  const forms = new StatementForms<number, Part>([even, always, large], (parts) =>
    parts.map(({ name }) => name).join(' '),
  );

  it('has only what concerns everything where nothing else is in the batch', () => {
    expect(forms.for([1, 3, 5])).toEqual({ sql: 'always', parts: [always] });
  });

  it.each([[[2]], [[1, 2, 3]], [[1, 101]]])('has all parts for %j, of which one concerns some', (batch) => {
    expect(forms.for(batch)).toEqual({ sql: 'even always large', parts: [even, always, large] });
  });
});

import { median, ratioFigures, startFigures, type Sample } from './ratios.js';

const sample = (contender: string, round: number, values: Partial<Sample>): Sample => ({
  contender,
  round,
  work: 'one step',
  inFlight: 10,
  perSecond: 100,
  p50Ms: 10,
  cpuMs: 2,
  ...values,
});
const compared = { forms: ['together', 'split'], peers: ['Restate', 'LangGraph'], levels: [50, 10, 1] };

describe('median', () => {
  it('is the one in the middle, or between the two in the middle', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 2, 9])).toBe(3);
    expect(median([])).toBeNaN();
  });
});

describe('ratioFigures', () => {
  it('takes the ratio of each round by itself', () => {
    // The machine was slow in the second round, for both of them.
    const samples = [
      sample('together', 0, { perSecond: 300 }),
      sample('Restate', 0, { perSecond: 200 }),
      sample('together', 1, { perSecond: 30 }),
      sample('Restate', 1, { perSecond: 20 }),
      sample('together', 2, { perSecond: 480 }),
      sample('Restate', 2, { perSecond: 300 }),
    ];
    expect(ratioFigures(samples, compared)).toEqual([
      {
        name: 'one step, 10 in flight, together',
        value: '300/s, p50 10.0 ms, CPU 2.0 ms',
        baseline: 'Restate: 200/s, p50 10.0 ms, CPU 2.0 ms; rounds 1.50 to 1.60',
        ratio: 1.5,
        target: '>= 1',
        met: true,
      },
    ]);
  });

  it('compares times, of which less is better, with one in flight', () => {
    const samples = [
      sample('together', 0, { inFlight: 1, p50Ms: 13 }),
      sample('Restate', 0, { inFlight: 1, p50Ms: 10 }),
    ];
    expect(ratioFigures(samples, compared)).toMatchObject([
      { name: 'one step, 1 in flight, together, p50', ratio: 1.3, target: '<= 1.2', met: false },
    ]);
  });

  it('tells a target that is missed', () => {
    const samples = [
      sample('split', 0, { perSecond: 60 }),
      sample('Restate', 0, {}),
      sample('together', 0, { perSecond: 290 }),
      sample('LangGraph', 0, {}),
    ];
    const figures = ratioFigures(samples, compared);
    expect(figures.map(({ name, baseline, met }) => [name, baseline!.split(':')[0], met])).toEqual([
      ['one step, 10 in flight, together', 'Restate', true],
      ['one step, 10 in flight, together', 'LangGraph', false],
      ['one step, 10 in flight, split', 'Restate', false],
      ['one step, 10 in flight, split', 'LangGraph', undefined],
    ]);
  });

  it('has no target for more than one step', () => {
    const samples = [
      sample('together', 0, { work: 'three steps' }),
      sample('Restate', 0, { work: 'three steps' }),
    ];
    const [figure] = ratioFigures(samples, compared);
    expect(figure).toMatchObject({ name: 'three steps, 10 in flight, together', ratio: 1 });
    expect(figure).not.toHaveProperty('target');
  });

  it('leaves out a peer that is not there, and rounds that it was not in', () => {
    const samples = [
      sample('together', 0, { perSecond: 200 }),
      sample('Restate', 0, {}),
      sample('together', 1, { perSecond: 900 }),
    ];
    expect(ratioFigures(samples, compared).map(({ ratio }) => ratio)).toEqual([2]);
  });

  it('says nothing of CPU where the machine does not tell', () => {
    const samples = [sample('together', 0, { cpuMs: NaN }), sample('Restate', 0, { cpuMs: NaN })];
    expect(ratioFigures(samples, compared)[0]!.value).toBe('100/s, p50 10.0 ms');
  });
});

describe('startFigures', () => {
  it('holds the one process against its target', () => {
    const starts = [13, 15, 12].map((p50Ms) => ({ contender: 'together', p50Ms }));
    expect(startFigures([...starts, { contender: 'split', p50Ms: 20 }], compared.forms)).toEqual([
      {
        name: 'startRun, 10 in flight, each followed to its end, together',
        value: 'p50 13.0 ms',
        target: '<= 14 ms',
        met: true,
      },
      { name: 'startRun, 10 in flight, each followed to its end, split', value: 'p50 20.0 ms' },
    ]);
  });
});

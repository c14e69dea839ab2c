import { assertPipeline } from './redis-connections.js';

describe('assertPipeline', () => {
  it('accepts commands that succeeded', () => {
    expect(() => assertPipeline([[null, 'OK']])).not.toThrow();
    expect(() => assertPipeline([])).not.toThrow();
    expect(() => assertPipeline(null)).not.toThrow();
  });

  it('throws what Redis has refused first', () => {
    const refused = new Error('OOM command not allowed');
    expect(() =>
      assertPipeline([
        [null, 1],
        [refused, undefined],
        [new Error('later'), undefined],
      ]),
    ).toThrow(refused);
  });
});

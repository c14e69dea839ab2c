import { ago, bytes, counted, duration, money, ownPath, words } from './format';

describe('figures for people', () => {
  it.each([
    [0, 'now'],
    [-999, 'now'],
    [-59_000, '59 sec. ago'],
    [-61_000, '1 min. ago'],
    [3 * 3_600_000, 'in 3 hr.'],
    [-26 * 3_600_000, 'yesterday'],
  ])('says how far away a moment %d ms from now is', (distance, expected) => {
    expect(ago(new Date(1_000_000_000_000 + distance).toISOString(), 1_000_000_000_000)).toBe(expected);
  });

  it.each([
    [0, '0 ms'],
    [850, '850 ms'],
    [4_200, '4.2 s'],
    [60_000, '1 min'],
    [200_000, '3 min 20 s'],
    [7_500_000, '2 h 5 min'],
  ])('says how long %d ms are', (ms, expected) => {
    expect(duration(ms)).toBe(expected);
  });

  it('says how much, and of what', () => {
    expect([0, 1, 1_234, 2_500_000].map((value) => counted(value, 'run'))).toEqual([
      '0 runs',
      '1 run',
      '1,234 runs',
      '2.5M runs',
    ]);
    expect([12, 2_048, 15 * 1024 * 1024].map(bytes)).toEqual(['12 B', '2.0 KiB', '15 MiB']);
    expect(words('every_15_minutes')).toBe('Every 15 minutes');
    const costs = ['0', '0.00000124', '0.0012', '0.01', '12.5', '1234.567'];
    expect(costs.map((amount) => money({ amount, currency: 'EUR' }))).toEqual([
      '0.00 EUR',
      '0.0000012 EUR',
      '0.0012 EUR',
      '0.01 EUR',
      '12.50 EUR',
      '1234.57 EUR',
    ]);
  });
});

describe('a link of the service', () => {
  it('is asked for under the name that the page has', () => {
    expect(ownPath('https://agents.example.com/v2/files/token?x=1')).toBe('/v2/files/token?x=1');
  });

  it('leads nowhere else, whatever it says', () => {
    for (const link of [
      'javascript:alert(1)',
      'data:text/html,<script>',
      '//evil.test/x',
      'https://evil.test',
    ]) {
      expect(new URL(ownPath(link), 'http://here.test').origin).toBe('http://here.test');
    }
  });
});

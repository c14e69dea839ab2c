import { directions, eventually, ofStorm, type ConnectionFaults } from '@aos/testing';
import { DistantRuns } from '../../distant-runs.js';
import type { SeenAnswer } from '../../run-traffic.js';

const slow = 1_000;
const fast = 50;
const lostMs = ofStorm({ short: 8_000, long: 60_000 });
const spoiltMs = ofStorm({ short: 5_000, long: 60_000 });
const frozen = ['one for reads', 'one for writes', 'all'] as const;
const freezes = ofStorm<readonly (readonly [(typeof frozen)[number], number])[]>({
  short: [
    ['one for reads', slow],
    ['one for writes', fast],
    ['all', slow],
  ],
  long: frozen.flatMap((which) => [slow, fast].map((everyMs) => [which, everyMs] as const)),
});
/** Finds the pipelined connections of one kind by their last query. */
const lastStatements = {
  'one for reads': '^\\s*SELECT name, attempts FROM run_step',
  'one for writes': '^\\s*WITH input AS',
};

describe('runs whose connections to Postgres are broken', () => {
  let distant: DistantRuns;

  beforeAll(async () => {
    distant = await DistantRuns.start();
  });

  afterAll(() => distant?.stop());

  async function oneOf(kind: keyof typeof lastStatements): Promise<ConnectionFaults> {
    return eventually(async () => {
      const rows = await distant.database.query<{ client_port: number }>(
        `SELECT client_port FROM pg_stat_activity WHERE datname = current_database() AND query ~ $1`,
        [lastStatements[kind]],
      );
      const ports = rows.map((row) => row.client_port);
      return distant.proxy.connections.find(({ storeSidePort }) => ports.includes(storeSidePort!)) ?? fail();
    });
  }

  const fail = () => {
    throw new Error('No connection of this kind is open');
  };

  /** Every caller has an answer, or was refused; nothing that was accepted is lost. */
  async function expectAllAnswered(seen: readonly SeenAnswer[]): Promise<void> {
    expect(seen.filter(({ ms }) => ms > 15_000)).toEqual([]);
    const outcomes = [...new Set(seen.map(({ outcome }) => outcome))];
    expect([200, 201, 503, 'unavailable']).toEqual(expect.arrayContaining(outcomes));
    expect(await distant.traffic.unexpectedEnds()).toEqual([]);
  }

  it.each(freezes)(
    'answer or refuse soon, and recover: %s frozen, a request each %d ms',
    async (which, everyMs) => {
      const seen = await distant.traffic.during(everyMs, async (traffic) => {
        await traffic.isServed(5, 30_000);
        const broken = which === 'all' ? distant.proxy : await oneOf(which);
        broken.freeze();
        await traffic.isDisturbed(30_000);
        await traffic.isServed(10, 40_000);
      });
      await expectAllAnswered(seen);
    },
    120_000,
  );

  it.each(directions)(
    'recover when nothing has passed %s for a while',
    async (direction) => {
      const seen = await distant.traffic.during(200, async (traffic) => {
        await traffic.isServed(5, 30_000);
        distant.proxy.lose(direction);
        await new Promise((resolve) => setTimeout(resolve, lostMs));
        distant.proxy.heal();
        await traffic.isServed(10, 40_000);
      });
      await expectAllAnswered(seen);
    },
    lostMs + 120_000,
  );

  it.each([
    ['late', (proxy: ConnectionFaults) => proxy.delay(20)],
    ['slowly', (proxy: ConnectionFaults) => proxy.throttle(200_000)],
  ])(
    'refuse nothing when everything passes %s',
    async (_, spoil) => {
      const seen = await distant.traffic.during(500, async (traffic) => {
        await traffic.isServed(5, 30_000);
        spoil(distant.proxy);
        await new Promise((resolve) => setTimeout(resolve, spoiltMs));
      });
      distant.proxy.heal();
      expect(new Set(seen.map(({ outcome }) => outcome))).toEqual(new Set([200, 201]));
      await expectAllAnswered(seen);
    },
    spoiltMs + 60_000,
  );
});

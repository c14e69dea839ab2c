import { recordingLogger } from '../../test/log-lines.js';
import { newTraceparent, traceIds } from '../tracing/traceparent.js';
import { currentContext, extendContext, runWithContext } from './request-context.js';

const key = `aos_${'Ab1_-'.repeat(9).slice(0, 43)}`;

describe('Logger', () => {
  it('writes JSON lines with level, ISO time, service and message', () => {
    const log = recordingLogger();
    log.logger.info({ run_id: 'r1', count: 2 }, 'run finished');
    log.logger.warn('100% plain');
    expect(log.lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        service: 'test',
        pid: process.pid,
        run_id: 'r1',
        count: 2,
        msg: 'run finished',
      },
      expect.objectContaining({ level: 'warn', msg: '100% plain' }),
    ]);
    expect(log.raw.every((line) => line.endsWith('}\n'))).toBe(true);
  });

  it('leaves out lines below its level', () => {
    const log = recordingLogger('warn');
    log.logger.info('no');
    log.logger.error('yes');
    expect(log.lines.map((line) => line.msg)).toEqual(['yes']);
    expect(log.logger.isLevelEnabled('info')).toBe(false);
    expect(log.logger.isLevelEnabled('fatal')).toBe(true);
  });

  it('gives a child its fields, redacted too', () => {
    const log = recordingLogger();
    log.logger.child({ queue: 'runs', api_key: 'short' }).child({ job: 7 }).info('x');
    expect(log.lines[0]).toMatchObject({ queue: 'runs', api_key: '[redacted]', job: 7, msg: 'x' });
  });

  it('scrubs messages, fields, child fields and error text alike', () => {
    const log = recordingLogger();
    log.logger.info(`used ${key}`);
    log.logger.info({ note: `used ${key}` }, 'x');
    log.logger.child({ note: `used ${key}` }).info('x');
    log.logger.error({ err: new Error(`used ${key}`, { cause: new Error(`and ${key}`) }) });
    log.logger.error(new TypeError(`used ${key}`));
    expect(log.raw.join('')).not.toContain(key.slice(0, 12));
    expect(log.lines).toHaveLength(5);
    expect(log.lines[0]?.msg).toBe('used aos_[redacted]');
    expect(log.lines[4]).toMatchObject({ msg: 'used aos_[redacted]', err: { type: 'TypeError' } });
  });

  it('ends a flush although the destination cannot flush', async () => {
    await expect(recordingLogger().logger.flush()).resolves.toBeUndefined();
  });
});

describe('request context', () => {
  it('is on every line within, across awaits, and nowhere else', async () => {
    const log = recordingLogger();
    const traceparent = newTraceparent();
    const { traceId, spanId } = traceIds(traceparent);
    await runWithContext(
      { requestId: 'req-1', traceparent, teamId: 't1', operationId: 'startRun' },
      async () => {
        await new Promise((resolve) => setImmediate(resolve));
        log.logger.info('within');
      },
    );
    log.logger.info('outside');
    expect(log.lines[0]).toMatchObject({
      request_id: 'req-1',
      trace_id: traceId,
      span_id: spanId,
      team_id: 't1',
      operation: 'startRun',
    });
    expect(log.lines[1]).not.toHaveProperty('request_id');
    expect(currentContext()).toBeUndefined();
  });

  it('takes the team when it becomes known, without touching the caller or a neighbour', async () => {
    const given = { requestId: 'req-1', traceparent: newTraceparent() };
    const seen = await Promise.all(
      ['a', 'b'].map((teamId) =>
        runWithContext(given, async () => {
          extendContext({ teamId });
          await new Promise((resolve) => setImmediate(resolve));
          return currentContext()?.teamId;
        }),
      ),
    );
    extendContext({ teamId: 'nobody' });
    expect(seen).toEqual(['a', 'b']);
    expect(given).not.toHaveProperty('teamId');
  });

  it('gives what the function gives, and its error', () => {
    const context = { requestId: 'r', traceparent: newTraceparent() };
    expect(runWithContext(context, () => 7)).toBe(7);
    expect(() =>
      runWithContext(context, () => {
        throw new Error('x');
      }),
    ).toThrow('x');
  });
});

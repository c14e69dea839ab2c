import { Logger as NestOwnLogger } from '@nestjs/common';
import { recordingLogger } from '../../test/log-lines.js';
import { NestLogger } from './nest-logger.js';

function logged(write: (logger: NestLogger) => void): Record<string, unknown>[] {
  const log = recordingLogger();
  write(new NestLogger(log.logger));
  return log.lines;
}

describe('NestLogger', () => {
  it('maps the levels of Nest', () => {
    const lines = logged((logger) => {
      logger.log('a', 'Ctx');
      logger.warn('b', 'Ctx');
      logger.debug('c', 'Ctx');
      logger.verbose('d', 'Ctx');
      logger.fatal('e', 'Ctx');
      logger.error('f', undefined, 'Ctx');
    });
    expect(lines.map((line) => [line.level, line.msg, line.context])).toEqual([
      ['info', 'a', 'Ctx'],
      ['warn', 'b', 'Ctx'],
      ['debug', 'c', 'Ctx'],
      ['trace', 'd', 'Ctx'],
      ['fatal', 'e', 'Ctx'],
      ['error', 'f', 'Ctx'],
    ]);
  });

  it('puts the start-up lines at debug, but not their errors', () => {
    const lines = logged((logger) => {
      logger.log('AppModule dependencies initialized', 'InstanceLoader');
      logger.error('boom', undefined, 'InstanceLoader');
    });
    expect(lines.map((line) => line.level)).toEqual(['debug', 'error']);
  });

  it('takes errors and stacks in every way Nest hands them over', () => {
    const error = new Error('boom');
    const lines = logged((logger) => {
      logger.error(error, undefined, 'ExceptionHandler');
      logger.error('boom', error.stack, 'Ctx');
      logger.error('boom', error.stack);
      logger.error('boom', error);
    });
    expect(lines[0]).toMatchObject({ msg: 'boom', context: 'ExceptionHandler', err: { stack: error.stack } });
    expect(lines[1]).toMatchObject({ msg: 'boom', context: 'Ctx', stack: error.stack });
    expect(lines[2]).toMatchObject({ msg: 'boom', stack: error.stack });
    expect(lines[2]).not.toHaveProperty('context');
    expect(lines[3]).toMatchObject({ msg: 'boom', err: { message: 'boom' } });
  });

  it('keeps further parameters and objects as fields, redacted', () => {
    const lines = logged((logger) => {
      logger.log({ port: 1, password: 'x' }, 'Ctx');
      logger.log('text', { token: 'x' }, 'Ctx');
      logger.log(null);
    });
    expect(lines[0]).toMatchObject({ data: { port: 1, password: '[redacted]' }, context: 'Ctx' });
    expect(lines[1]).toMatchObject({ msg: 'text', details: [{ token: '[redacted]' }] });
    expect(lines).toHaveLength(3);
  });

  it("is reached through Nest's own Logger", () => {
    // A service that failed to start in an earlier file of this worker leaves Nest's buffer attached.
    NestOwnLogger.detachBuffer();
    const lines = logged((logger) => {
      NestOwnLogger.overrideLogger(logger);
      new NestOwnLogger('Service').error('boom');
      new NestOwnLogger('Service').log('text', { a: 1 });
    });
    expect(lines[0]).toMatchObject({ level: 'error', msg: 'boom', context: 'Service' });
    expect(lines[1]).toMatchObject({ level: 'info', msg: 'text', context: 'Service', details: [{ a: 1 }] });
  });
});

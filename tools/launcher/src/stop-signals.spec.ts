import { EventEmitter } from 'node:events';
import { onStopSignals } from './stop-signals.js';

describe('onStopSignals', () => {
  it('takes the echo of npm for the same signal, and a later one for insisting', () => {
    const source = new EventEmitter();
    const seen: string[] = [];
    let now = 0;
    const unsubscribe = onStopSignals(
      source,
      { stop: () => seen.push('stop'), force: () => seen.push('force') },
      () => now,
    );
    source.emit('SIGINT');
    now = 20;
    source.emit('SIGINT');
    expect(seen).toEqual(['stop']);
    now = 1_500;
    source.emit('SIGTERM');
    expect(seen).toEqual(['stop', 'force']);
    unsubscribe();
    source.emit('SIGHUP');
    expect(seen).toHaveLength(2);
  });
});

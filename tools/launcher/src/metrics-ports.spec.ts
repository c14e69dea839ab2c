import { createServer } from 'node:net';
import { MetricsPorts } from './metrics-ports.js';

describe('MetricsPorts', () => {
  it('gives each process a port of its own, and the same again', async () => {
    const ports = new MetricsPorts([]);
    const names = Array.from({ length: 20 }, (_, index) => `service-${index}`);
    const given = await Promise.all(names.map((name) => ports.portFor(name)));
    expect(new Set(given).size).toBe(20);
    expect(await Promise.all(names.map((name) => ports.portFor(name)))).toEqual(given);
    expect(ports.urlOf('service-3')).toBe(`http://127.0.0.1:${given[3]}/metrics`);
    expect(ports.urlOf('another')).toBeUndefined();
  });

  it('gives another when somebody took it meanwhile', async () => {
    const ports = new MetricsPorts([]);
    const first = await ports.portFor('runs');
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(first, '127.0.0.1', resolve));
    const second = await ports.portFor('runs');
    await new Promise((resolve) => other.close(resolve));
    expect(second).not.toBe(first);
    expect(ports.urlOf('runs')).toBe(`http://127.0.0.1:${second}/metrics`);
  });
});

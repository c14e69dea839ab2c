import { compiledQuickjs } from './compiled-quickjs.js';
import { defaultCodeLimits } from '../code-limits.js';
import { Machine } from './machine.js';
import { MachineMemory } from './machine-memory.js';

const quiet = { print: () => undefined, call: () => 1 };
const bytesOf = (memory: MachineMemory) => Buffer.from(memory.wasm.buffer);
const machineIn = async (memory: MachineMemory) =>
  Machine.make(await compiledQuickjs(), memory, defaultCodeLimits, quiet);

describe('the memory of a machine', () => {
  it('holds nothing of the code when it was wiped', async () => {
    const memory = new MachineMemory(defaultCodeLimits);
    const machine = await machineIn(memory);
    const code = 'secrets = Array.from({ length: 9e4 }, (_, n) => "hush" + n); return secrets.length';
    expect(machine.start(code)).toEqual({ ok: true, json: '90000' });
    expect(machine.isIntact).toBe(true);
    expect(bytesOf(memory).includes('hush')).toBe(true);
    memory.wipe();
    expect(bytesOf(memory).some((byte) => byte !== 0)).toBe(false);
  });

  it('is wiped wherever it was written to, to its last byte', () => {
    const memory = new MachineMemory(defaultCodeLimits);
    const bytes = bytesOf(memory);
    for (const at of [0, 65_535, 65_536, 5_000_000, bytes.length - 1]) bytes[at] = 1;
    memory.wipe();
    expect(bytes.some((byte) => byte !== 0)).toBe(false);
  });

  it('serves one machine after the other', async () => {
    const memory = new MachineMemory(defaultCodeLimits);
    const seen: unknown[] = [];
    for (const name of ['first', 'second', 'third']) {
      memory.wipe();
      const machine = await machineIn(memory);
      const code = `const before = [typeof named, typeof {}.named, Math.max(1, 2)];
        globalThis.named = Object.prototype.named = '${name}'; Math.max = () => '${name}'; return before`;
      seen.push(machine.start(code));
    }
    expect(seen).toEqual(
      Array.from({ length: 3 }, () => ({ ok: true, json: '["undefined","undefined",2]' })),
    );
  });

  it('that has grown serves no other', async () => {
    const memory = new MachineMemory(defaultCodeLimits);
    const machine = await machineIn(memory);
    expect(machine.start('return new Uint8Array(20 * 2 ** 20).fill(1).length')).toMatchObject({ ok: true });
    expect(memory.hasGrown).toBe(true);
    expect(machine.isIntact).toBe(false);
  });
});

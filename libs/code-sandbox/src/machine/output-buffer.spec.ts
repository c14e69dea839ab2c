import { OutputBuffer } from './output-buffer.js';

describe('OutputBuffer', () => {
  it('holds what was appended on the other side', () => {
    const buffer = OutputBuffer.allocate(100);
    const other = new OutputBuffer(buffer.shared);
    other.append('é 🙂\n');
    other.append('\0');
    expect(buffer.text()).toBe('é 🙂\n\0');
  });

  it('takes as much as fits and says when it was more', () => {
    const buffer = OutputBuffer.allocate(4);
    buffer.append('abcd');
    expect(buffer.text()).toBe('abcd');
    buffer.append('');
    expect(buffer.text()).toBe('abcd');
    buffer.append('e');
    expect(buffer.text()).toBe('abcd\n[the output was cut at 4 bytes]\n');
  });

  it('cuts between characters, and takes nothing after that', () => {
    const buffer = OutputBuffer.allocate(4);
    buffer.append('ab🙂');
    buffer.append('c');
    expect(buffer.text()).toBe('ab\n[the output was cut at 4 bytes]\n');
  });
});

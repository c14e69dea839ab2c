import type { McpToolResult } from '@aos/mcp-client';
import { outcomeOfResult, type ReceivedFile } from './mcp-result.js';

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const link = { type: 'resource_link', uri: 'demo://1', name: 'One', mimeType: 'text/plain' } as const;

async function outcomeOf(result: McpToolResult) {
  const kept: ReceivedFile[] = [];
  const outcome = await outcomeOfResult(result, async (file) => {
    kept.push(file);
    return { path: `/workspace/${kept.length}`, size_bytes: file.bytes.length };
  });
  return { outcome, kept };
}

describe('the result of a tool of a server', () => {
  it('is a text where there is nothing else', async () => {
    const content = [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ] as const;
    expect((await outcomeOf({ content: [...content] })).outcome).toEqual({
      kind: 'result',
      result: 'one\ntwo',
    });
    expect((await outcomeOf({ content: [] })).outcome).toEqual({ kind: 'result', result: '' });
  });

  it('keeps structured content, and does not say it twice', async () => {
    const structuredContent = { temperature: 33, tags: ['a'] };
    const text = JSON.stringify(structuredContent, null, 2);
    expect((await outcomeOf({ content: [{ type: 'text', text }], structuredContent })).outcome).toEqual({
      kind: 'result',
      result: { structured_content: structuredContent },
    });
    const other = await outcomeOf({ content: [{ type: 'text', text: 'Hot.' }], structuredContent });
    expect(other.outcome).toEqual({
      kind: 'result',
      result: { text: 'Hot.', structured_content: structuredContent },
    });
  });

  it('has its images, sounds and resources as files, and its links as they are', async () => {
    const { outcome, kept } = await outcomeOf({
      content: [
        { type: 'text', text: 'Look:' },
        { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
        { type: 'audio', data: png.toString('base64'), mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'demo://t', text: 'short' } },
        { type: 'resource', resource: { uri: 'demo://l', text: 'x'.repeat(20_000), mimeType: 'text/csv' } },
        { type: 'resource', resource: { uri: 'demo://b', blob: png.toString('base64') } },
        link,
      ],
    });
    expect(outcome).toEqual({
      kind: 'result',
      result: {
        text: 'Look:',
        files: [
          { type: 'image', mime_type: 'image/png', path: '/workspace/1', size_bytes: 4 },
          { type: 'audio', mime_type: 'audio/wav', path: '/workspace/2', size_bytes: 4 },
          {
            ...{ type: 'resource', uri: 'demo://t', mime_type: 'text/plain', text: 'short' },
            ...{ path: '/workspace/3', size_bytes: 5 },
          },
          {
            ...{ type: 'resource', uri: 'demo://l', mime_type: 'text/csv' },
            ...{ path: '/workspace/4', size_bytes: 20_000 },
          },
          {
            ...{ type: 'resource', uri: 'demo://b', mime_type: 'application/octet-stream' },
            ...{ path: '/workspace/5', size_bytes: 4 },
          },
        ],
        links: [{ uri: 'demo://1', name: 'One', mime_type: 'text/plain' }],
      },
    });
    expect(kept[0]!.bytes).toEqual(png);
  });

  it('says how many files it had beyond those that are kept', async () => {
    const image = { type: 'image', data: '', mimeType: 'image/png' } as const;
    const { outcome, kept } = await outcomeOf({ content: Array.from({ length: 53 }, () => image) });
    const { files } = (outcome as { result: { files: object[] } }).result;
    expect([kept.length, files.length, files.at(-1)]).toEqual([50, 51, { error: '3 more were not kept.' }]);
  });

  it.each([
    [[{ type: 'text', text: 'No such city' }], undefined, 'No such city'],
    [[], { code: 7 }, '{"code":7}'],
    [[link], undefined, 'The tool reported an error, and did not say which.'],
  ])('that is an error is one: %j', async (content, structuredContent, message) => {
    const result = { content, structuredContent, isError: true } as McpToolResult;
    expect((await outcomeOf(result)).outcome).toEqual({ kind: 'error', message });
  });

  it('that is a long error loses its end', async () => {
    const result: McpToolResult = { content: [{ type: 'text', text: 'x'.repeat(10_000) }], isError: true };
    const { message } = (await outcomeOf(result)).outcome as { message: string };
    expect(message).toBe(`${'x'.repeat(8 * 1024)}… [${10_000 - 8 * 1024} characters were left out]`);
  });
});

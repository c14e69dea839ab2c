/** What a tool of our MCP endpoint was refused with: told as text alone, and marked as an error. */
export function refusalOf(result: unknown): { error: string; message: string } {
  const { isError, structuredContent, content } = result as {
    isError?: boolean;
    structuredContent?: unknown;
    content: { text: string }[];
  };
  if (!isError || structuredContent !== undefined) throw new Error(`No refusal: ${JSON.stringify(result)}`);
  return JSON.parse(content[0]!.text) as { error: string; message: string };
}

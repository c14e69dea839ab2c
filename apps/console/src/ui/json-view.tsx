/** Any value as the text it is. Long ones are folded. */
export function JsonView({ value, open = true, name }: { value: unknown; open?: boolean; name: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <details open={open && (text ?? '').length < 2_000}>
      <summary className="small quiet">{name}</summary>
      <pre className="block" tabIndex={0}>
        {text ?? 'nothing'}
      </pre>
    </details>
  );
}

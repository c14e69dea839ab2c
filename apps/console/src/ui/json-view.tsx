const shortLength = 88;

function Line({ name, text }: { name: string; text: string }) {
  return (
    <div className="row small">
      <span className="quiet">{name}</span>
      <code className="line">{text}</code>
    </div>
  );
}

/** Any value as the text it is. Long ones are folded. */
export function JsonView({ value, open = true, name }: { value: unknown; open?: boolean; name: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  if (text !== undefined && !text.includes('\n') && text.length <= shortLength)
    return <Line name={name} text={text} />;
  const line = text === undefined || typeof value === 'string' ? undefined : JSON.stringify(value);
  if (line !== undefined && line.length <= shortLength) return <Line name={name} text={line} />;
  return (
    <details open={open && (text ?? '').length < 2_000}>
      <summary className="small quiet">{name}</summary>
      <pre className="block" tabIndex={0}>
        {text ?? 'nothing'}
      </pre>
    </details>
  );
}

import type { OutputOf } from '@aos/client';

type Probed = OutputOf<'probeMcpServer'>;

export function ToolList({ answer: { success, tools = [], error } }: { answer: Probed }) {
  if (!success) {
    return (
      <p className="banner bad" role="alert">
        It did not work: {error}
      </p>
    );
  }
  return (
    <div className="stack tight">
      <p className="banner good" role="status">
        It answers, and has {tools.length} tools.
      </p>
      <ToolNames tools={tools} />
    </div>
  );
}

/** The tools of a server, in its own words, which are shown as the text they are. */
export function ToolNames({ tools }: { tools: NonNullable<Probed['tools']> }) {
  return (
    <ul className="stack tight">
      {tools.map(({ name, description }) => (
        <li key={name}>
          <code>{name}</code> <span className="small quiet">{description}</span>
        </li>
      ))}
    </ul>
  );
}

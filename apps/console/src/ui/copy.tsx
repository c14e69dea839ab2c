import { useState } from 'react';

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="button small"
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setCopied(true);
          window.setTimeout(() => setCopied(false), 2_000);
        });
      }}
    >
      {copied ? 'Copied' : label}
    </button>
  );
}

/** Text to take elsewhere, with the button that does it. */
export function Snippet({ text, label }: { text: string; label?: string }) {
  return (
    <div className="stack tight">
      <pre className="block" tabIndex={0}>
        {text}
      </pre>
      <div>
        <CopyButton text={text} label={label} />
      </div>
    </div>
  );
}

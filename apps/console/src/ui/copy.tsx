import { useState } from 'react';
import { copyText } from './clipboard';
import { useNotices } from './notices';

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const { warn } = useNotices();
  const copy = async (button: HTMLElement) => {
    if (!(await copyText(text, button))) {
      warn('The browser did not let it be copied. Select it here and copy it by hand:', text);
      return;
    }
    setCopied(true);
    window.setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button type="button" className="button small" onClick={({ currentTarget }) => void copy(currentTarget)}>
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

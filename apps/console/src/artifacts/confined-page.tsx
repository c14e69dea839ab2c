import { useEffect, useRef } from 'react';
import { basePath } from '../session/base-path';

/**
 * A document that a model has written, in a page of its own that may run nothing of it and ask for nothing. It comes by
 * message, for the frame has no key, and no credential is ever in an address.
 */
export function ConfinedPage({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const give = () => frame.current?.contentWindow?.postMessage({ html }, '*');
    const onMessage = ({ source }: MessageEvent) => {
      if (source !== null && source === frame.current?.contentWindow) give();
    };
    window.addEventListener('message', onMessage);
    give();
    return () => window.removeEventListener('message', onMessage);
  }, [html]);
  return (
    <iframe
      ref={frame}
      className="confined"
      src={`${basePath}/console/frame.html`}
      sandbox="allow-scripts"
      title={title}
    />
  );
}

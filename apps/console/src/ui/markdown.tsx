import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { safeLink } from './safe-link';

const components: Components = {
  // The page has its own headings; those of a text are below them.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  a: ({ href, children }) => {
    const address = safeLink(href);
    return address === undefined ? (
      <>{children}</>
    ) : (
      <a href={address} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    );
  },
  // A picture would tell its server that somebody reads this; the policy of the page forbids it anyway.
  img: ({ alt }) => <span className="tag">picture{alt ? `: ${alt}` : ''}</span>,
  input: ({ checked }) => <span>{checked ? '☑' : '☐'}</span>,
};

/** Renders untrusted Markdown without HTML. Tags appear as text. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="prose">
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={components} urlTransform={(url) => url}>
        {text}
      </ReactMarkdown>
    </div>
  );
}

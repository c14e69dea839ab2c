import { safeLink } from '../ui/safe-link';

/** The consent URL comes from a foreign server, so it is checked before it becomes a link. */
export function ConsentLink({ url }: { url: string }) {
  const address = safeLink(url);
  if (address === undefined || address.startsWith('mailto:')) {
    return <p className="banner bad">The server named an address that cannot be opened safely.</p>;
  }
  return (
    <div className="stack tight">
      <a className="button primary" href={address} target="_blank" rel="noopener noreferrer">
        Continue at {new URL(address).host}
      </a>
      <span className="hint">
        It opens in another tab. Here the connection becomes active when you have consented, and confirmed the
        team if you are asked to.
      </span>
    </div>
  );
}

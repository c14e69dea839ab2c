import { useQueryClient } from '@tanstack/react-query';
import { Fragment, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useNotices } from '../ui/notices';
import { exchangeCode, presentSession, signOut, SignInError, type Session } from './session';
import { SessionContext } from './session-context';
import { SessionNews } from './session-news';
import { codeIn } from './sign-in-code';
import { SignInCover, SignInPage } from './sign-in-page';
import { onUnauthorized } from './unauthorized';

/** One exchange for one code, however often React mounts. */
let exchange: Promise<Session> | undefined;

/** `asking`: not known yet · `away`: the service does not answer · `out`: nobody is signed in · `in`: somebody is. */
type Door = 'asking' | 'away' | 'out' | 'in';

const retryMs = 3_000;
const endedElsewhere = 'You were signed out.';

/**
 * Shows the console to those who are signed in, and the one field to the others. Where a session ends by itself the pages
 * stay as they are, out of sight: whoever signs in to the same team again finds what they have typed.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const { complain } = useNotices();
  const [session, setSession] = useState<Session>();
  const [door, setDoor] = useState<Door>('asking');
  const [problem, setProblem] = useState<string>();
  const present = useRef<Session>(undefined);
  const isIn = useRef(false);
  const news = useRef<SessionNews>(undefined);

  const enter = useCallback(
    (next: Session) => {
      // The same one keeps its client, and the pages keep their streams.
      if (isIn.current && present.current?.credentialId === next.credentialId) return;
      if (present.current?.teamId !== next.teamId) queries.clear();
      present.current = next;
      isIn.current = true;
      setSession(next);
      setProblem(undefined);
      setDoor('in');
    },
    [queries],
  );
  const leave = useCallback((reason: string | undefined) => {
    isIn.current = false;
    setProblem(reason);
    setDoor('out');
  }, []);

  const look = useCallback(async () => {
    try {
      const found = await presentSession();
      if (found) enter(found);
      else leave(present.current && endedElsewhere);
    } catch (error) {
      if (error instanceof SignInError) leave(error.message);
      else if (!present.current) setDoor('away');
    }
  }, [enter, leave]);

  useEffect(() => {
    const code = codeIn(location.hash);
    if (code !== undefined) {
      // Out of the address at once, so that it is in no history and on no screenshot.
      history.replaceState(null, '', location.pathname + location.search);
      exchange = exchangeCode(code);
    }
    const channel = (news.current = new SessionNews(() => void look()));
    if (exchange) {
      exchange.then(
        (next) => {
          enter(next);
          news.current?.tell();
        },
        (error: unknown) => (error instanceof SignInError ? leave(error.message) : setDoor('away')),
      );
    } else void look();
    return () => channel.close();
  }, [enter, leave, look]);

  useEffect(() => {
    if (door === 'in') return onUnauthorized(() => void look());
    if (door !== 'away') return undefined;
    const timer = window.setInterval(() => void look(), retryMs);
    return () => window.clearInterval(timer);
  }, [door, look]);

  const end = useCallback(() => {
    signOut().then(() => {
      present.current = undefined;
      setSession(undefined);
      queries.clear();
      leave(undefined);
      news.current?.tell();
      // Shown as signed out only when the service has said so.
    }, complain);
  }, [queries, leave, complain]);
  const holder = useMemo(() => session && { ...session, signOut: end }, [session, end]);

  const signInPage = (
    <SignInPage
      problem={problem}
      onSignedIn={(next) => {
        enter(next);
        news.current?.tell();
      }}
    />
  );
  if (holder) {
    return (
      <SessionContext value={holder}>
        <Fragment key={holder.teamId}>{children}</Fragment>
        {door === 'out' && <SignInCover>{signInPage}</SignInCover>}
      </SessionContext>
    );
  }
  if (door === 'out') return signInPage;
  if (door === 'asking') return <p className="empty">Signing in…</p>;
  return (
    <p className="empty" role="alert">
      The service cannot be reached. Trying again…
    </p>
  );
}

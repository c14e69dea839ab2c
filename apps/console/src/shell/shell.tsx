import { Link, Navigate, Outlet, useMatches } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LiveFeed, pollSeconds } from '../data/live/live-feed';
import { useLive } from '../data/live/live-context';
import { basePath } from '../session/base-path';
import { useMay, useSession } from '../session/session-context';
import { applyTheme, storedTheme, themes, type Theme } from '../ui/theme';
import { Select } from '../ui/controls';
import { words } from '../ui/format';
import { problemOf } from '../ui/problem';
import { unsavedWork, type UnsavedWork } from '../ui/unsaved';
import { Page } from '../ui/page';
import { Empty } from '../ui/states';
import { LeaveDialog, LeaveGuard } from './leave-guard';
import { placeOf, places } from './places';
import './shell.css';

export function Shell() {
  return (
    <LiveFeed>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <div className="shell">
        <Navigation />
        <main id="content" tabIndex={-1}>
          <AwayBanner />
          <Content />
        </main>
      </div>
      <LeaveGuard />
    </LiveFeed>
  );
}

/** The page, for those who may see it. */
function Content() {
  const may = useMay();
  const routeId = useMatches({ select: (matches) => matches.at(-1)?.routeId });
  const place = placeOf(routeId);
  if (!place || may(place.needs)) return <Outlet />;
  return <NotAllowed title={place.label} needs={place.needs} />;
}

/** Leads to the first page that whoever is signed in may see. */
export function Home() {
  const may = useMay();
  const [first] = places.filter(({ needs }) => may(needs));
  return first ? <Navigate to={first.to} replace /> : <NotAllowed title="Console" needs={places[0]!.needs} />;
}

function NotAllowed({ title, needs }: { title: string; needs: string }) {
  return (
    <Page title={title}>
      <div className="card">
        <Empty title="Your key does not allow this page">
          <p>
            It needs the scope {needs}. Sign in with another key, or ask an administrator of the team for one.
          </p>
        </Empty>
      </div>
    </Page>
  );
}

function Navigation() {
  const { teamName } = useSession();
  const may = useMay();
  return (
    <nav className="navigation" aria-label="Console">
      <div className="brand">
        <span className="cut" title={teamName}>
          {teamName}
        </span>
      </div>
      <ul>
        {places
          .filter(({ needs }) => may(needs))
          .map(({ to, label }) => (
            <li key={to}>
              <Link to={to} activeProps={{ 'aria-current': 'page' }}>
                {label}
                {to === '/inbox' && <InboxCount />}
              </Link>
            </li>
          ))}
      </ul>
      <div className="foot">
        <PollNote />
        <a href={`${basePath}/docs`} target="_blank" rel="noopener">
          API reference
        </a>
        <ThemeSwitch />
        <SignOut />
      </div>
    </nav>
  );
}

function PollNote() {
  if (useLive().state !== 'polling') return null;
  return <span className="quiet">Refreshed every {pollSeconds} s</span>;
}

function SignOut() {
  const { signOut } = useSession();
  const [unsaved, setUnsaved] = useState<readonly UnsavedWork[]>([]);
  const begin = () => {
    const works = unsavedWork();
    if (works.length === 0) signOut();
    else setUnsaved(works);
  };
  return (
    <>
      <button type="button" className="button plain small" onClick={begin}>
        Sign out
      </button>
      {unsaved.length > 0 && <LeaveDialog works={unsaved} onStay={() => setUnsaved([])} onLeave={signOut} />}
    </>
  );
}

function InboxCount() {
  const { client } = useSession();
  const { data } = useQuery({
    queryKey: ['inbox', 'count'],
    queryFn: async () => (await client.listHumanRequests({ status: 'pending', limit: 1 })).total,
  });
  if (!data) return null;
  return (
    <span className="count" aria-label={`${data} waiting`}>
      {data}
    </span>
  );
}

function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  return (
    <label className="row small">
      <span className="unseen">Theme</span>
      <Select
        className="input small"
        options={themes.map((name) => [name, words(name)] as const)}
        value={theme}
        onChange={(chosen) => {
          applyTheme(chosen);
          setTheme(chosen);
        }}
      />
    </label>
  );
}

function AwayBanner() {
  const live = useLive();
  if (live.state === 'away') {
    return (
      <div className="banner warn away" role="alert">
        The gateway is away; trying again. What you see may be old until it is back.
      </div>
    );
  }
  if (live.state === 'refused') {
    return (
      <div className="banner warn away" role="alert">
        <RefusalText refusal={live.refusal} /> Lists are as old as their last reload.
      </div>
    );
  }
  return null;
}

function RefusalText({ refusal }: { refusal: unknown }) {
  const { title, detail } = problemOf(refusal);
  return (
    <>
      The events of the team cannot be followed. {title} {detail}
    </>
  );
}

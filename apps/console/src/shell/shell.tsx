import { ApiError } from '@aos/client';
import { Link, Outlet } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LiveFeed } from '../live/live-feed';
import { useLive } from '../live/live-context';
import { basePath } from '../session/base-path';
import { useSession } from '../session/session-context';
import { applyTheme, storedTheme, themes, type Theme } from '../ui/theme';
import { words } from '../ui/format';
import { problemOf } from '../ui/problem';
import './shell.css';

const places = [
  { to: '/runs', label: 'Runs' },
  { to: '/inbox', label: 'Inbox' },
  { to: '/agents', label: 'Agents' },
  { to: '/queues', label: 'Queues' },
  { to: '/connections', label: 'Connections' },
  { to: '/artifacts', label: 'Artifacts' },
  { to: '/usage', label: 'Usage' },
  { to: '/keys', label: 'Keys' },
] as const;

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
          <Outlet />
        </main>
      </div>
    </LiveFeed>
  );
}

function Navigation() {
  const { teamName, signOut } = useSession();
  return (
    <nav className="navigation" aria-label="Console">
      <div className="brand">
        <span className="cut" title={teamName}>
          {teamName}
        </span>
      </div>
      <ul>
        {places.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} activeProps={{ 'aria-current': 'page' }}>
              {label}
              {to === '/inbox' && <InboxCount />}
            </Link>
          </li>
        ))}
      </ul>
      <div className="foot">
        <a href={`${basePath}/docs`} target="_blank" rel="noopener">
          API reference
        </a>
        <ThemeSwitch />
        <button type="button" className="button plain small" onClick={signOut}>
          Sign out
        </button>
      </div>
    </nav>
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
      <select
        className="input small"
        value={theme}
        onChange={({ target }) => {
          const chosen = target.value as Theme;
          applyTheme(chosen);
          setTheme(chosen);
        }}
      >
        {themes.map((name) => (
          <option key={name} value={name}>
            {words(name)}
          </option>
        ))}
      </select>
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
  if (refusal instanceof ApiError && refusal.code === 'insufficient_scope') {
    return <>This key may not follow the events of the team (scope webhooks:manage).</>;
  }
  const { title, detail } = problemOf(refusal);
  return (
    <>
      The events of the team cannot be followed. {title} {detail}
    </>
  );
}

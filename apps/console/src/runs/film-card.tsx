import type { Run } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../session/session-context';
import { ownPath } from '../ui/format';
import { Card } from '../ui/page';
import { Moment } from '../ui/time';

export function FilmCard({ run }: { run: Run }) {
  const client = useClient();
  const [chosen, setChosen] = useState<number>();
  const { data } = useQuery({
    queryKey: ['run', run.run_id, 'screenshots'],
    queryFn: () => client.getRunScreenshotTimeline({ run_id: run.run_id }),
  });
  if (!data || data.screenshots.length === 0) return null;
  const last = data.screenshots.length - 1;
  const index = Math.min(chosen ?? last, last);
  const shot = data.screenshots[index]!;
  return (
    <Card title="Browser">
      <div className="film stack tight">
        <img
          src={ownPath(shot.download_url)}
          width={shot.width}
          height={shot.height}
          alt={`${shot.action}: ${shot.title}`}
        />
        <div className="small">
          <strong>{shot.action}</strong> {shot.title} <span className="quiet cut">{shot.url}</span>
        </div>
        <label className="stack tight small">
          <span>
            {index + 1} of {data.screenshots.length} · <Moment at={shot.captured_at} />
          </span>
          <input
            type="range"
            min={0}
            max={last}
            value={index}
            aria-label="Moment of the replay"
            onChange={({ target }) => setChosen(Number(target.value))}
          />
        </label>
        <div className="film-strip">
          {data.screenshots.map(({ id, download_url: link, action, title }, position) => (
            <button
              key={id}
              type="button"
              aria-pressed={position === index}
              aria-label={`${position + 1}: ${action} ${title}`}
              onClick={() => setChosen(position)}
            >
              <img src={ownPath(link)} alt="" loading="lazy" />
            </button>
          ))}
        </div>
      </div>
    </Card>
  );
}

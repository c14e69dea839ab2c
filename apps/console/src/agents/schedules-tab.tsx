import type { Schedule } from '@aos/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { gather } from '../data/lookups/gather';
import { useClient, useMay } from '../session/session-context';
import { useAction } from '../ui/action';
import { DeleteButton } from '../ui/confirm';
import { words } from '../ui/format';
import { Card } from '../ui/page';
import { Empty, Loaded } from '../ui/states';
import { Ago } from '../ui/time';
import { ScheduleDialog } from './schedule-dialog';

export function SchedulesTab({ agentId }: { agentId: string }) {
  const client = useClient();
  const [edited, setEdited] = useState<Schedule | 'new'>();
  const mayWrite = useMay()('agents:write');
  const query = useQuery({
    queryKey: ['agent', agentId, 'schedules'],
    queryFn: () => gather(client.each.listAgentSchedules({ agent_id: agentId })),
  });
  const add = mayWrite && (
    <button type="button" className="button" onClick={() => setEdited('new')}>
      New schedule
    </button>
  );
  return (
    <div className="stack">
      <Loaded query={query}>
        {(schedules) =>
          schedules.length === 0 ? (
            <Empty title="It runs only when it is started">
              <p>
                With a schedule it starts by itself: each hour, each workday at nine, or by a cron expression.
              </p>
              {add}
            </Empty>
          ) : (
            <>
              {add && <div>{add}</div>}
              <div className="columns">
                {schedules.map((schedule) => (
                  <ScheduleCard
                    key={schedule.schedule_id}
                    schedule={schedule}
                    onEdit={() => setEdited(schedule)}
                  />
                ))}
              </div>
            </>
          )
        }
      </Loaded>
      {edited && (
        <ScheduleDialog
          agentId={agentId}
          schedule={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  );
}

function ScheduleCard({ schedule, onEdit }: { schedule: Schedule; onEdit: () => void }) {
  const client = useClient();
  const mayWrite = useMay()('agents:write');
  const ids = { agent_id: schedule.agent_id, schedule_id: schedule.schedule_id };
  const stale = [['agent', schedule.agent_id, 'schedules'], ['agents']];
  const update = useAction(client.updateSchedule, { stale });
  const remove = useAction(client.deleteSchedule, { stale, said: 'The schedule is deleted.' });
  const firings = schedule.upcoming_runs ?? [];
  return (
    <Card
      title={schedule.frequency === 'custom' ? (schedule.cron ?? 'Custom') : words(schedule.frequency)}
      actions={
        <label className="row small">
          <input
            type="checkbox"
            checked={schedule.enabled}
            disabled={!mayWrite || update.isPending}
            onChange={({ target }) => update.mutate({ ...ids, enabled: target.checked })}
          />
          On
        </label>
      }
    >
      <div className="stack">
        {schedule.auto_disabled_reason && (
          <div className="banner warn">Switched off: {schedule.auto_disabled_reason}</div>
        )}
        {schedule.message && <p className="quiet">“{schedule.message}”</p>}
        {firings.length > 0 ? (
          <div className="stack tight">
            <h3>Next</h3>
            <ol className="stack tight small">
              {firings.map((moment) => (
                <li key={moment}>
                  {new Date(moment).toLocaleString(undefined, { timeZone: schedule.timezone })}{' '}
                  <span className="quiet">{schedule.timezone}</span>
                </li>
              ))}
            </ol>
          </div>
        ) : (
          <p className="quiet">It does not fire.</p>
        )}
        {schedule.last_run_at && (
          <p className="small quiet">
            Last: <Ago at={schedule.last_run_at} />{' '}
            {schedule.last_run_id && (
              <Link to="/runs/$runId" params={{ runId: schedule.last_run_id }}>
                its run
              </Link>
            )}
          </p>
        )}
        {mayWrite && (
          <div className="row">
            <button type="button" className="button small" onClick={onEdit}>
              Change
            </button>
            <DeleteButton of="this schedule" disabled={remove.isPending} onConfirm={() => remove.mutate(ids)}>
              Runs that it has started go on.
            </DeleteButton>
          </div>
        )}
      </div>
    </Card>
  );
}

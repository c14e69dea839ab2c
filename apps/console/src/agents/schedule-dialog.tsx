import { enumValues, type Schedule } from '@aos/client';
import { useId, useState, type FormEvent } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { Dialog } from '../ui/dialog';
import { Field, TextField } from '../ui/field';
import { fieldFaults } from '../ui/field-faults';
import { words } from '../ui/format';

/** Of the browser; the service takes others that it knows too, such as UTC. */
const timeZones = Intl.supportedValuesOf('timeZone');

interface ScheduleDialogProps {
  readonly agentId: string;
  readonly schedule: Schedule | undefined;
  readonly onClose: () => void;
}

export function ScheduleDialog({ agentId, schedule, onClose }: ScheduleDialogProps) {
  const client = useClient();
  const zonesId = useId();
  const [frequency, setFrequency] = useState<Schedule['frequency']>(schedule?.frequency ?? 'daily');
  const [time, setTime] = useState(schedule?.time ?? '09:00');
  const [timezone, setTimezone] = useState(
    schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  const [day, setDay] = useState<Schedule['day']>(schedule?.day ?? 'monday');
  const [dayOfMonth, setDayOfMonth] = useState(String(schedule?.day_of_month ?? 1));
  const [cron, setCron] = useState(schedule?.cron ?? '0 9 * * 1-5');
  const [message, setMessage] = useState(schedule?.message ?? '');
  const done = {
    stale: [['agent', agentId, 'schedules'], ['agents']],
    said: 'The schedule is set.',
    onDone: onClose,
  };
  const create = useAction(client.createSchedule, done);
  const update = useAction(client.updateSchedule, done);
  const faults = fieldFaults(schedule ? update.error : create.error);
  const hasTime = !['every_5_minutes', 'every_15_minutes', 'custom'].includes(frequency);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Only what is shown: a field that is not cannot be mended.
    const fields = {
      ...{ agent_id: agentId, frequency, timezone },
      ...(hasTime ? { time } : {}),
      ...(frequency === 'weekly' ? { day } : {}),
      ...(frequency === 'monthly' ? { day_of_month: Number(dayOfMonth) } : {}),
      cron: frequency === 'custom' ? cron : null,
      message: message === '' ? null : message,
    };
    if (schedule) update.mutate({ ...fields, schedule_id: schedule.schedule_id });
    else create.mutate(fields);
  };
  return (
    <Dialog title={schedule ? 'Change the schedule' : 'New schedule'} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="How often">
          {(ids) => (
            <select
              {...ids}
              className="input"
              value={frequency}
              onChange={({ target }) => setFrequency(target.value as Schedule['frequency'])}
            >
              {enumValues.ScheduleFrequency.map((name) => (
                <option key={name} value={name}>
                  {words(name)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {frequency === 'custom' && (
          <Field
            label="Cron expression"
            hint="Five fields: minute, hour, day, month, weekday."
            error={faults['cron']}
          >
            {(ids) => (
              <input
                {...ids}
                className="input mono"
                required
                maxLength={200}
                value={cron}
                onChange={({ target }) => setCron(target.value)}
              />
            )}
          </Field>
        )}
        {frequency === 'weekly' && (
          <Field label="Weekday">
            {(ids) => (
              <select
                {...ids}
                className="input"
                value={day}
                onChange={({ target }) => setDay(target.value as Schedule['day'])}
              >
                {enumValues.Weekday.map((name) => (
                  <option key={name} value={name}>
                    {words(name)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {frequency === 'monthly' && (
          <TextField
            label="Day"
            hint="In a month that lacks it, its last."
            type="number"
            required
            min={1}
            max={31}
            error={faults['day_of_month']}
            value={dayOfMonth}
            onChange={setDayOfMonth}
          />
        )}
        {hasTime && (
          <TextField
            label="Time"
            hint={frequency === 'hourly' ? 'Only the minutes count.' : undefined}
            type="time"
            required
            error={faults['time']}
            value={time}
            onChange={setTime}
          />
        )}
        <TextField
          label="Time zone"
          hint="Such as Europe/Berlin."
          list={zonesId}
          required
          spellCheck={false}
          value={timezone}
          error={faults['timezone']}
          onChange={setTimezone}
        />
        <datalist id={zonesId}>
          {timeZones.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Field label="Message" hint="What each run is started with." error={faults['message']}>
          {(ids) => (
            <textarea
              {...ids}
              className="input"
              maxLength={20_000}
              value={message}
              onChange={({ target }) => setMessage(target.value)}
            />
          )}
        </Field>
        <div className="foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={create.isPending || update.isPending}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}

import { enumValues, type Schedule } from '@aos/client';
import { useId, useState } from 'react';
import { useClient } from '../session/session-context';
import { useAction } from '../ui/action';
import { SelectField, TextAreaField, TextField } from '../ui/field';
import { fieldFaults } from '../ui/field-faults';
import { FormDialog } from '../ui/form-dialog';
import { words } from '../ui/format';

/** Time zones of the browser; the service accepts others, such as UTC. */
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
  const submit = () => {
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
    <FormDialog
      title={schedule ? 'Change the schedule' : 'New schedule'}
      submit="Save"
      disabled={create.isPending || update.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="How often"
        options={enumValues.ScheduleFrequency.map((name) => [name, words(name)] as const)}
        value={frequency}
        onChange={setFrequency}
      />
      {frequency === 'custom' && (
        <TextField
          label="Cron expression"
          hint="Five fields: minute, hour, day, month, weekday."
          className="input mono"
          required
          maxLength={200}
          error={faults['cron']}
          value={cron}
          onChange={setCron}
        />
      )}
      {frequency === 'weekly' && (
        <SelectField
          label="Weekday"
          options={enumValues.Weekday.map((name) => [name, words(name)] as const)}
          value={day}
          onChange={setDay}
        />
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
      <TextAreaField
        label="Message"
        hint="What each run is started with."
        error={faults['message']}
        maxLength={20_000}
        value={message}
        onChange={setMessage}
      />
    </FormDialog>
  );
}

import { changed } from './subscription-changes.js';

const failing = {
  url: 'https://hooks.example.com/a',
  events: ['run.completed'],
  enabled: true,
  disabled_reason: null,
  consecutive_failures: 7,
  failing_since: new Date('2026-07-18T12:00:00.000Z'),
};
const disabled = {
  ...failing,
  enabled: false,
  disabled_reason: 'All deliveries have failed for a long time.',
};

describe('the change of a webhook', () => {
  it('keeps what is not changed', () => {
    expect(changed(failing, {})).toEqual(failing);
    expect(changed(disabled, {})).toEqual(disabled);
    expect(changed(failing, { url: failing.url, enabled: true })).toEqual(failing);
  });

  it('takes other events', () => {
    expect(changed(failing, { events: ['run.failed'] })).toEqual({ ...failing, events: ['run.failed'] });
  });

  it('forgets failures of another address', () => {
    const url = 'https://hooks.example.com/b';
    const without = { consecutive_failures: 0, failing_since: null };
    expect(changed(failing, { url })).toEqual({ ...failing, ...without, url });
    expect(changed(disabled, { url })).toEqual({ ...disabled, ...without, url });
  });

  it('forgets failures and the reason when it is enabled again', () => {
    expect(changed(disabled, { enabled: true })).toEqual({
      ...failing,
      consecutive_failures: 0,
      failing_since: null,
    });
  });

  it('names the team that disables it, and keeps an earlier reason', () => {
    expect(changed(failing, { enabled: false })).toEqual({
      ...failing,
      enabled: false,
      disabled_reason: 'Disabled by the team.',
    });
    expect(changed(disabled, { enabled: false })).toEqual(disabled);
  });
});

import { ApiError } from '@aos/client';
import { fieldFaults } from './field-faults';

describe('what is said against fields', () => {
  const refused = (status: number, message: string) =>
    new ApiError(status, 'invalid_request', message, null, null);

  it('is found by their names', () => {
    expect(fieldFaults(refused(400, 'cron: minute: cannot read "x"; day_of_month: Too small'))).toEqual({
      cron: 'minute: cannot read "x"',
      day_of_month: 'Too small',
    });
  });

  it('keeps all its words', () => {
    expect(fieldFaults(refused(400, 'cron: cannot read "1; 2"'))).toEqual({ cron: 'cannot read "1; 2"' });
  });

  it('is nothing where no field is named, and where something else went wrong', () => {
    expect(fieldFaults(refused(400, 'Give exactly one'))).toEqual({});
    expect(fieldFaults(refused(409, 'cron: taken'))).toEqual({});
    expect(fieldFaults(new Error('cron: away'))).toEqual({});
    expect(fieldFaults(null)).toEqual({});
  });
});

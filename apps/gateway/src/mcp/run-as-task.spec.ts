import type { HumanRequest, Run, RunAsTask, RunStatus } from '@aos/contracts';
import { CreateTaskResultV2Schema, DetailedTaskV2Schema } from '@modelcontextprotocol/ext-tasks/core/v2';
import { elicitationOf, responseOf } from './elicitations.js';
import { hasTaskEnded, startedTask, taskOfRun } from './run-as-task.js';

const id = '0190a0b0-0000-7000-8000-000000000001';
const at = '2026-11-01T10:00:00.000Z';
const later = '2026-11-01T10:00:05.000Z';

function runWith(status: RunStatus, more: Partial<Run> = {}, found: Partial<RunAsTask> = {}): RunAsTask {
  const run = {
    id,
    status,
    result: null,
    error: null,
    created_at: at,
    updated_at: later,
    completed_at: null,
  };
  return {
    run_id: id,
    status,
    run: { ...(run as unknown as Run), ...more },
    pending_human_request: null,
    first_end: null,
    ...found,
  };
}

const approval = {
  id: 'request-1',
  type: 'approval',
  title: 'Pay the invoice?',
  description: 'It is large.',
} as HumanRequest;

describe('a run as a task', () => {
  it.each([
    ['pending', 'working'],
    ['running', 'working'],
    ['completed', 'completed'],
    ['stopped', 'cancelled'],
  ] as const)('%s is %s', (status, expected) => {
    const task = taskOfRun(runWith(status, { result: 'Done' }));
    expect(task).toMatchObject({ taskId: id, status: expected, createdAt: at, ttlMs: null });
    expect(DetailedTaskV2Schema.safeParse(task).error).toBeUndefined();
  });

  it('has the result of the run when it is completed', () => {
    expect(taskOfRun(runWith('completed', { result: 'Done' }))).toMatchObject({
      result: {
        content: [{ type: 'text', text: 'Done' }],
        structuredContent: { run_id: id, status: 'completed', run: { result: 'Done' } },
      },
    });
  });

  it('is completed with an error when the run has failed', () => {
    const error = { code: 'timeout', message: 'It took too long.', advice: 'Go on.' } as const;
    expect(taskOfRun(runWith('failed', { error }))).toMatchObject({
      status: 'completed',
      result: { isError: true, content: [{ text: 'The run failed (timeout): It took too long.' }] },
    });
  });

  it('asks what the run asks', () => {
    const task = taskOfRun(runWith('waiting', {}, { pending_human_request: approval }));
    expect(task).toMatchObject({
      status: 'input_required',
      inputRequests: { 'request-1': { method: 'elicitation/create' } },
    });
    expect(DetailedTaskV2Schema.safeParse(task).error).toBeUndefined();
    expect(taskOfRun(runWith('waiting'))).toMatchObject({ status: 'working' });
  });

  it('keeps its end when the run is reopened', () => {
    const first_end = { status: 'completed', result: 'First', error: null, ended_at: at } as const;
    for (const status of ['running', 'waiting', 'failed', 'stopped'] as const) {
      const found = runWith(status, { result: 'Second' }, { first_end, pending_human_request: approval });
      expect(hasTaskEnded(found)).toBe(true);
      expect(taskOfRun(found)).toMatchObject({
        status: 'completed',
        lastUpdatedAt: at,
        result: {
          content: [{ text: 'First' }],
          structuredContent: { status: 'completed', run: { result: 'First' } },
        },
      });
    }
  });

  it('begins as one that works', () => {
    const task = startedTask(runWith('pending'));
    expect(task).toMatchObject({ resultType: 'task', taskId: id, status: 'working' });
    expect(CreateTaskResultV2Schema.safeParse(task).error).toBeUndefined();
    for (const field of ['result', 'error', 'inputRequests', 'run']) expect(task).not.toHaveProperty(field);
  });
});

describe('what a run asks people, as a form', () => {
  const question = {
    ...approval,
    type: 'question',
    questions: [
      {
        question: 'Which colour?',
        header: 'Colour',
        options: [{ label: 'Red', description: 'As blood' }, { label: 'Blue' }],
      },
      { question: 'Which sizes?', options: [{ label: 'S' }, { label: 'L' }], multi_select: true },
      { question: 'Why?' },
    ],
  } as HumanRequest;

  it('an approval', () => {
    expect(elicitationOf(approval)).toMatchObject({
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: 'Pay the invoice?\n\nIt is large.',
        requestedSchema: {
          type: 'object',
          properties: { approved: { type: 'boolean' }, comment: { type: 'string' } },
          required: ['approved'],
        },
      },
    });
  });

  it('a field for each question', () => {
    const { params } = elicitationOf(question) as { params: { requestedSchema: object } };
    expect(params.requestedSchema).toEqual({
      type: 'object',
      properties: {
        'Which colour?': {
          type: 'string',
          title: 'Colour',
          description: 'Which colour?\nRed: As blood',
          enum: ['Red', 'Blue'],
        },
        'Which sizes?': { type: 'array', title: 'Which sizes?', items: { type: 'string', enum: ['S', 'L'] } },
        'Why?': { type: 'string', title: 'Why?' },
      },
      required: ['Which colour?', 'Which sizes?', 'Why?'],
    });
  });

  it('is answered by what was filled in', () => {
    const content = { approved: true, comment: 'Fine' };
    expect(responseOf(approval, { action: 'accept', content })).toEqual(content);
    expect(responseOf(question, { action: 'accept', content: { 'Why?': 'So' } })).toEqual({
      answers: { 'Why?': 'So' },
    });
  });

  it.each([{ action: 'decline' }, { action: 'cancel' }, {}, null, 7])('%j leaves it as it is', (given) => {
    expect(responseOf(approval, given)).toBeUndefined();
  });
});

import { askHumanToolName, humanTools, isHumanTool, requestApprovalToolName } from './human-tools.js';
import type { ToolContext, ToolOutcome } from './tool.js';
import { ToolBox } from './tool-box.js';

const now = Date.UTC(2026, 0, 1);
const box = new ToolBox(humanTools(() => now));

const context: ToolContext = {
  runId: 'run-1',
  teamId: 'team-1',
  agentId: 'agent-1',
  sandboxId: 'sandbox-1',
  fence: 'fence-1',
  callId: 'call-1',
  humanInTheLoop: true,
  signal: new AbortController().signal,
};

function use(name: string, args: Record<string, unknown>, given = context): Promise<ToolOutcome> {
  return box.execute({ id: 'call-1', name, arguments: args }, given);
}

const question = {
  type: 'question',
  title: 'Which?',
  description: null,
  questions: [{ question: 'Which?' }],
  assignee: null,
  dueAt: null,
  onTimeout: 'deny',
  requiredApprovals: 1,
};

describe('ask_human', () => {
  it.each<[string, Record<string, unknown>, object]>([
    ['a question', { question: 'Which?' }, {}],
    ['no options', { question: 'Which?', options: [] }, {}],
    [
      'options in both forms',
      { question: 'Which?', options: ['red', { label: 'blue', description: 'dark' }] },
      {
        questions: [
          { question: 'Which?', options: [{ label: 'red' }, { label: 'blue', description: 'dark' }] },
        ],
      },
    ],
    [
      'several questions',
      { questions: [{ question: 'Which?', header: 'Colour', multi_select: true }, { question: 'Why?' }] },
      {
        title: 'Colour',
        questions: [{ question: 'Which?', header: 'Colour', multi_select: true }, { question: 'Why?' }],
      },
    ],
    [
      'whom, until when and what then',
      { question: 'Which?', assignee: 'ops', due_at: '2026-01-01T03:00:00+02:00', on_timeout: 'fail' },
      { assignee: 'ops', dueAt: new Date(Date.UTC(2026, 0, 1, 1)), onTimeout: 'fail' },
    ],
  ])('takes %s', async (_what, args, expected) => {
    expect(await use(askHumanToolName, args)).toEqual({ kind: 'ask', request: { ...question, ...expected } });
  });

  it('cuts a long title, but not through a character', async () => {
    const long = `${'x'.repeat(499)}😀`;
    const outcome = await use(askHumanToolName, { question: long });
    expect(outcome).toMatchObject({
      request: { title: 'x'.repeat(499), questions: [{ question: long }] },
    });
  });

  const many = Array.from({ length: 21 }, (_, index) => ({ question: `${index}?` }));
  it.each<[Record<string, unknown>, string]>([
    [{}, 'question: exactly one of question and questions is needed'],
    [{ question: 'A?', questions: [{ question: 'B?' }] }, 'question: exactly one of question and questions'],
    [{ questions: [{ question: 'A?' }], options: ['x'] }, 'options: belong to question'],
    [{ questions: [{ question: 'A?' }, { question: 'A?' }] }, 'questions: two questions have the same text'],
    [{ questions: [] }, 'questions: Too small'],
    [{ questions: many }, 'questions: Too big'],
    [{ question: '' }, 'question: Too small'],
    [{ question: 'A?', options: [''] }, 'options.0: '],
    [{ question: 'A?', assignee: '' }, 'assignee: Too small'],
    [{ question: 'A?', assignee: 'x'.repeat(201) }, 'assignee: Too big'],
    [{ question: 'A?', due_at: '2025-12-31T23:59:59Z' }, 'due_at: must be in the future'],
    [{ question: 'A?', due_at: '9999-12-31T23:59:59-12:00' }, 'due_at: must be before the year 10000'],
    [{ question: 'A?', due_at: '2027-01-01T00:00:00' }, 'due_at: Invalid ISO datetime'],
    [{ question: 'A?', due_at: 'soon', on_timeout: 'wait' }, 'on_timeout: Invalid option'],
  ])('refuses %j', async (args, message) => {
    expect(await use(askHumanToolName, args)).toEqual({
      kind: 'error',
      message: expect.stringContaining(message),
    });
  });
});

describe('request_approval', () => {
  it('asks for one approval unless told otherwise', async () => {
    const request = { ...question, type: 'approval', title: 'Pay', questions: null };
    expect(await use(requestApprovalToolName, { title: 'Pay' })).toEqual({ kind: 'ask', request });
    const args = { title: 'Pay', description: '100 EUR', required_approvals: 2 };
    expect(await use(requestApprovalToolName, args)).toEqual({
      kind: 'ask',
      request: { ...request, description: '100 EUR', requiredApprovals: 2 },
    });
  });

  it.each<[Record<string, unknown>, string]>([
    [{}, 'title: Invalid input'],
    [{ title: '' }, 'title: Too small'],
    [{ title: 'x'.repeat(501) }, 'title: Too big'],
    [{ title: 'Pay', required_approvals: 0 }, 'required_approvals: Too small'],
    [{ title: 'Pay', required_approvals: 21 }, 'required_approvals: Too big'],
    [{ title: 'Pay', required_approvals: 1.5 }, 'required_approvals: Invalid input'],
  ])('refuses %j', async (args, message) => {
    expect(await use(requestApprovalToolName, args)).toEqual({
      kind: 'error',
      message: expect.stringContaining(message),
    });
  });
});

it.each([
  [askHumanToolName, { question: 'Which?' }],
  [requestApprovalToolName, { title: 'Pay' }],
])('%s asks nobody in a run without people', async (name, args) => {
  expect(isHumanTool(name)).toBe(true);
  expect(await use(name, args, { ...context, humanInTheLoop: false })).toEqual({
    kind: 'error',
    message: 'This run was started without people in the loop: nobody can be asked.',
  });
});

it('tells a model of both forms of an option', () => {
  expect(box.find(askHumanToolName)?.parameters).toMatchObject({
    properties: { options: { items: { anyOf: [{ type: 'string' }, { type: 'object' }] } } },
  });
});

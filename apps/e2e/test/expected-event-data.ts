import { runsOf, type Story, type TracedRun } from '../src/eventful-team.js';

/** What the story does not make: the specs of the services that do try it. */
export const notOfTheStory = [
  'connection.updated',
  'connection.action_required',
  'budget.warning',
  'budget.reached',
];

/** All data of an event that the story makes, field by field as the interface has it. */
export const expectedData: Readonly<Record<string, (story: Story) => readonly object[]>> = {
  'run.started': (story) => runsOf(story).map(({ facts }) => ({ ...facts, status: 'running' })),
  'run.paused': ({ approved, answered, stopped }) =>
    [approved, answered, stopped].map(({ facts }) => ({ ...facts, status: 'waiting' })),
  'run.completed': ({ approved, answered, stopped, worked }) => [
    { ...approved.facts, status: 'completed', result: 'All is done' },
    { ...answered.facts, status: 'completed', result: 'This one' },
    { ...stopped.facts, status: 'stopped' },
    { ...worked.facts, status: 'completed', result: 'Settled' },
  ],
  'run.failed': ({ failed }) => [
    { ...failed.facts, status: 'failed', error: { code: expect.any(String), message: 'Broken' } },
  ],
  'run.message.created': (story) =>
    runsOf(story).flatMap(({ id, messages }) =>
      messages.map(({ id: message_id, role, type }) => ({ run_id: id, message_id, role, type })),
    ),
  'run.tool_call.completed': ({ approved, answered, stopped, worked }) => [
    { ...callOf(approved, 'no_such_tool'), ok: false, error: expect.stringContaining('no_such_tool') },
    { ...callOf(approved, 'write_file'), ok: true },
    { ...callOf(approved, 'request_approval'), ok: true },
    { ...callOf(answered, 'ask_human'), ok: true },
    { ...callOf(stopped, 'ask_human'), ok: false, error: expect.stringContaining('cancelled') },
    { ...callOf(worked, 'complete_case'), ok: true },
  ],
  'run.file.created': ({ approved }) => [{ run_id: approved.id, path: '/workspace/note.txt', size_bytes: 5 }],
  'human_request.created': ({ approved, answered, stopped }) => [
    { ...requestOf(approved), type: 'approval', title: 'Shall I?' },
    { ...requestOf(answered), type: 'question', title: 'Which?' },
    { ...requestOf(stopped), type: 'question', title: 'Why?' },
  ],
  'human_request.responded': ({ approved, answered, stopped }) => [
    { ...requestOf(approved), type: 'approval', title: 'Shall I?', status: 'answered', approved: true },
    {
      ...requestOf(answered),
      type: 'question',
      title: 'Which?',
      status: 'answered',
      answers: { 'Which?': 'This one' },
    },
    { ...requestOf(stopped), type: 'question', title: 'Why?', status: 'cancelled' },
  ],
  'queue.case.created': ({ settled }) => [{ ...settled, status: 'pending' }],
  'queue.case.claimed': ({ settled, worked }) => [{ ...settled, status: 'pending', run_id: worked.id }],
  'queue.case.completed': ({ settled, worked }) => [{ ...settled, status: 'completed', run_id: worked.id }],
  'assignment.build.published': ({ published }) => [{ ...published, revision_number: 2 }],
};

function requestOf({ id, requestId }: TracedRun): object {
  return { run_id: id, request_id: requestId };
}

/** What tells of a call that the run made, apart from how it went. */
function callOf({ id, messages }: TracedRun, name: string): object {
  const call = messages.find(({ tool_call }) => tool_call?.name === name)!.tool_call!;
  return { run_id: id, tool_call_id: call.id, name, duration_ms: expect.any(Number) };
}

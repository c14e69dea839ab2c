import { asConversation, type ModelMessage } from './model.js';

const user: ModelMessage = { role: 'user', text: 'Hi' };
const said: ModelMessage = { role: 'assistant', text: 'Hello' };
const begin: ModelMessage = { role: 'user', text: 'Begin.' };

describe('asConversation', () => {
  it.each<[string, ModelMessage[], ModelMessage[]]>([
    ['nothing', [], [begin]],
    ['a question', [user], [user]],
    ['an answer that nobody asked for', [said, user], [begin, said, user]],
    ['an answer at the end', [user, said], [user, said, { role: 'user', text: 'Go on.' }]],
  ])('begins and ends %s with the user', (_what, messages, expected) => {
    expect(asConversation(messages)).toEqual(expected);
  });
});

import type { ModelMessage } from './model.js';

/** Providers refuse a conversation that does not begin with a user, or that leaves the model nothing to answer. */
export function asConversation(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const begin: ModelMessage[] = messages[0]?.role === 'user' ? [] : [{ role: 'user', text: 'Begin.' }];
  const goOn: ModelMessage[] =
    messages.at(-1)?.role === 'assistant' ? [{ role: 'user', text: 'Go on.' }] : [];
  return [...begin, ...messages, ...goOn];
}

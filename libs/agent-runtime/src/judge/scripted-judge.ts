import type { LoopMessage } from '../loop/journal.js';
import type { TellUsage } from '../models/metered-model.js';
import { estimatedTokens } from '../scripted/estimated-tokens.js';
import type { Judge, JudgedRubric, JudgeTask, Verdict } from './judge.js';

/**
 * The judge of the built-in model, which needs no key: a rubric passes when every phrase in double quotes in its
 * description occurs, letter by letter, in the texts of the assistant. One without a phrase cannot be judged.
 */
export class ScriptedJudge implements Judge {
  constructor(private readonly tell: TellUsage = async () => undefined) {}

  async judge({ rubrics, transcript }: JudgeTask): Promise<readonly Verdict[]> {
    const said = assistantTexts(transcript);
    const verdicts = rubrics.map((rubric) => verdictOn(rubric, said));
    await this.tell({
      inputTokens: estimatedTokens(...said, ...rubrics.map(({ description }) => description)),
      outputTokens: estimatedTokens(...verdicts.map(({ comment }) => comment)),
    });
    return verdicts;
  }
}

function verdictOn({ description }: JudgedRubric, said: readonly string[]): Verdict {
  const phrases = phrasesIn(description);
  if (phrases.length === 0) {
    return {
      passed: null,
      comment: 'The built-in judge looks for phrases in double quotes; there are none.',
    };
  }
  const missing = phrases.filter((phrase) => !said.some((text) => text.includes(phrase)));
  if (missing.length === 0) return { passed: true, comment: `The assistant said ${listed(phrases)}.` };
  return { passed: false, comment: `The assistant did not say ${listed(missing)}.` };
}

function phrasesIn(description: string): string[] {
  const phrases = [...description.matchAll(/"([^"]*)"/g)].map(([, phrase]) => phrase!);
  return [...new Set(phrases.filter((phrase) => phrase.trim() !== ''))];
}

function assistantTexts(transcript: readonly LoopMessage[]): string[] {
  return transcript
    .filter(({ type, role }) => type === 'text' && role === 'assistant')
    .map(({ text = '' }) => text);
}

function listed(phrases: readonly string[]): string {
  return phrases.map((phrase) => `"${phrase}"`).join(', ');
}

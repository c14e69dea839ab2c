import { answersSchema } from '@aos/contracts';
import { z } from 'zod';

const approvalSchema = z.object({ approved: z.boolean(), comment: z.string().nullish() });
const responseSchema = z.object({ answers: answersSchema });

/** What a person answered, in words. Anything that is no answer, an error for example, stays as it is. */
export function describeAnswer(result: string): string {
  const response = parseJson(result);
  const approval = approvalSchema.safeParse(response).data;
  if (approval) {
    const verdict = approval.approved ? 'approved' : 'denied';
    return approval.comment ? `${verdict}: ${approval.comment}` : verdict;
  }
  const answers = responseSchema.safeParse(response).data?.answers;
  return answers ? Object.values(answers).flat().join('; ') : result;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

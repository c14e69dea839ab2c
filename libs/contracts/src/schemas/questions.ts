import { z } from 'zod';
import { boundedList, boundedRecord } from './common.js';
import { named } from './named.js';

/** A question to a person, as human requests and builder runs ask it. */
export const questionSchema = named(
  'Question',
  z.object({
    question: z.string().min(1).max(2000),
    header: z.string().max(200).optional(),
    options: z
      .array(z.object({ label: z.string().min(1).max(500), description: z.string().max(2000).optional() }))
      .max(50)
      .optional(),
    multi_select: z.boolean().optional(),
  }),
);

export type Question = z.output<typeof questionSchema>;

/** More than are ever asked at once. */
const maxAnswers = 100;

/** Answers keyed by the text of the question. */
export const answersSchema = named(
  'Answers',
  boundedRecord(
    z.string(),
    z.union([z.string().max(20_000), boundedList(z.string().max(20_000), { max: 50 })]),
    { max: maxAnswers },
  ),
);

export type Answers = z.output<typeof answersSchema>;

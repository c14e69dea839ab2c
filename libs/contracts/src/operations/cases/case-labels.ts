import { z } from 'zod';
import { defineOperation } from '../../declarations/operation.js';
import { boundedList, idParams, idSchema, listOf, pageQuery, successSchema } from '../../schemas/common.js';
import {
  caseLabelSchema,
  caseLimits,
  countedLabelSchema,
  newCaseLabelFields,
  newCaseLabelSchema,
} from '../../schemas/cases.js';

const owner = 'runs';
const tag = 'Queues';
const ofQueue = '/v2/queues/{queue_id}/labels';
const ofCase = '/v2/queues/{queue_id}/cases/{case_id}/labels';
const page = pageQuery({ default: 1000, max: 1000 });

/** In degrees, so 360 is 0. */
const colorHue = z
  .int()
  .min(0)
  .max(360)
  .transform((hue) => hue % 360);
const oneLabel = z.object({ label_id: idSchema, label: countedLabelSchema });
const labelsOfCase = z.object({ labels: z.array(caseLabelSchema) });

export const listCaseLabels = defineOperation({
  operationId: 'listCaseLabels',
  method: 'GET',
  path: ofQueue,
  tag,
  summary: 'List the labels of a queue',
  owner,
  scope: 'queues:read',
  params: idParams('queue_id'),
  query: z.object(page),
  status: 200,
  response: listOf('labels', countedLabelSchema),
});

export const createCaseLabel = defineOperation({
  operationId: 'createCaseLabel',
  method: 'POST',
  path: ofQueue,
  tag,
  summary: 'Create a label',
  owner,
  scope: 'queues:write',
  params: idParams('queue_id'),
  body: z.object({ ...newCaseLabelFields, color_hue: colorHue.optional() }),
  status: 201,
  response: oneLabel,
});

export const updateCaseLabel = defineOperation({
  operationId: 'updateCaseLabel',
  method: 'PATCH',
  path: `${ofQueue}/{label_id}`,
  tag,
  summary: 'Update a label on all its cases',
  owner,
  scope: 'queues:write',
  params: idParams('queue_id', 'label_id'),
  body: z.object({
    key: newCaseLabelFields.key.optional(),
    value: newCaseLabelFields.value.optional(),
    color_hue: colorHue.optional(),
  }),
  status: 200,
  response: oneLabel,
});

export const deleteCaseLabel = defineOperation({
  operationId: 'deleteCaseLabel',
  method: 'DELETE',
  path: `${ofQueue}/{label_id}`,
  tag,
  summary: 'Delete a label and remove it from all cases',
  owner,
  scope: 'queues:write',
  params: idParams('queue_id', 'label_id'),
  status: 200,
  response: successSchema,
});

export const listLabelsOfCase = defineOperation({
  operationId: 'listLabelsOfCase',
  method: 'GET',
  path: ofCase,
  tag,
  summary: 'List the labels of a case',
  owner,
  scope: 'queues:read',
  params: idParams('queue_id', 'case_id'),
  status: 200,
  response: labelsOfCase,
});

export const linkCaseLabels = defineOperation({
  operationId: 'linkCaseLabels',
  method: 'POST',
  path: ofCase,
  tag,
  summary: 'Add labels to a case',
  description:
    'Labels that the queue does not have yet are made. A case has at most 50. A string is a label without a value.',
  owner,
  scope: 'queues:write',
  params: idParams('queue_id', 'case_id'),
  body: z.object({ labels: boundedList(newCaseLabelSchema, { min: 1, max: caseLimits.labels }) }),
  status: 200,
  repeatable: true,
  response: labelsOfCase,
});

export const unlinkCaseLabels = defineOperation({
  operationId: 'unlinkCaseLabels',
  method: 'POST',
  path: `${ofCase}/unlink`,
  tag,
  summary: 'Remove labels from a case',
  owner,
  scope: 'queues:write',
  params: idParams('queue_id', 'case_id'),
  body: z.object({ label_ids: boundedList(idSchema, { min: 1, max: 100 }) }),
  status: 200,
  repeatable: true,
  response: labelsOfCase,
});

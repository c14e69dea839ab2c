import { httpMethods, isOperation, type Operation } from '../declarations/operation.js';
import { tags } from '../declarations/tags.js';
import * as declared from './all.js';

const tagOrder = Object.keys(tags);

/**
 * The public interface. Routes, validation, OpenAPI, MCP tools and the walking tests come from this table. Every
 * operation that a file of this folder exports is part of it, in the order in which a reader meets them.
 */
export const operations: readonly Operation[] = Object.values<unknown>(declared)
  .filter(isOperation)
  .sort(
    (one, other) =>
      tagOrder.indexOf(one.tag) - tagOrder.indexOf(other.tag) ||
      Number(one.path > other.path) - Number(one.path < other.path) ||
      httpMethods.indexOf(one.method) - httpMethods.indexOf(other.method),
  );

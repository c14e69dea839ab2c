export type { Bytes } from './bytes.js';
export {
  createClient,
  type Calls,
  type Client,
  type InputOf,
  type OperationId,
  type OutputOf,
} from './client.js';
export { ApiError, ConnectionError, type ErrorCode } from './errors.js';
export { Follow, type Followed, type FollowOptions } from './follow.js';
export * from './generated.js';
export type { OperationEntry } from './operation-entry.js';
export type { Each, ListId } from './pages.js';
export { signWebhook, type WebhookToSign } from './sign-webhook.js';
export type { CallOptions, ClientOptions } from './transport.js';
export { verifyWebhook, WebhookVerificationError, type WebhookToVerify } from './verify-webhook.js';

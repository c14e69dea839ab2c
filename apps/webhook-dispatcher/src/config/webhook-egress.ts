/** Injection token of the guarded HTTP client for addresses that teams give. */
export const WebhookEgress = Symbol('WebhookEgress');

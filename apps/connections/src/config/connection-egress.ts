/** Injection token of the guarded HTTP client: every call of this service to the outside goes through it. */
export const ConnectionEgress = Symbol('ConnectionEgress');

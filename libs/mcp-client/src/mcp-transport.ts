import { StreamableHTTPClientTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';

type Sending = Parameters<StreamableHTTPClientTransport['send']>[1];

/** The official transport, which also tells when a stream of answers ends and when all that was said has been sent. */
export class McpTransport extends StreamableHTTPClientTransport {
  /** Told of each request whose stream has ended; with or without its answer. */
  onRequestEnd?: (method: string) => void;
  private readonly notifying = new Set<Promise<void>>();

  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: Sending): Promise<void> {
    if (Array.isArray(message) || !('method' in message)) return super.send(message, options);
    if ('id' in message) {
      const { method } = message;
      const onRequestStreamEnd = () => {
        options?.onRequestStreamEnd?.();
        this.onRequestEnd?.(method);
      };
      return super.send(message, { ...options, onRequestStreamEnd });
    }
    const sent = super.send(message, options);
    const settled = sent.then(
      () => void this.notifying.delete(settled),
      () => void this.notifying.delete(settled),
    );
    this.notifying.add(settled);
    return sent;
  }

  /** When the notifications under way have been sent, or could not be. */
  async notified(): Promise<void> {
    await Promise.all(this.notifying);
  }
}

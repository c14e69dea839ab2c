const channelName = 'aos-session';

/** Tells the other tabs of this browser that somebody has signed in or out: they have one session together. */
export class SessionNews {
  private readonly channel = new BroadcastChannel(channelName);

  constructor(onNews: () => void) {
    this.channel.addEventListener('message', onNews);
  }

  tell(): void {
    this.channel.postMessage(null);
  }

  close(): void {
    this.channel.close();
  }
}

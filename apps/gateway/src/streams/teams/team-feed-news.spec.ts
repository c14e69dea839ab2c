import { TeamFeedNews } from './team-feed-news.js';

const longMs = 60_000;

describe('TeamFeedNews', () => {
  const never = new AbortController().signal;
  let news: TeamFeedNews;

  beforeEach(() => {
    news = new TeamFeedNews();
  });

  it('wakes those who follow the team, and nobody else', async () => {
    const [one, two, other] = ['a', 'a', 'b'].map((team) => news.follow(team));
    let isOtherAwake = false;
    const gone = new AbortController();
    const waiting = other!.next(0, longMs, gone.signal).then(() => (isOtherAwake = true));
    const woken = [one!.next(0, longMs, never), two!.next(0, longMs, never)];
    news.notify('a');
    await Promise.all(woken);
    expect(isOtherAwake).toBe(false);
    gone.abort();
    await waiting;
  });

  it('does not let anybody sleep through what came while a page was read', async () => {
    const feed = news.follow('a');
    const seen = feed.count();
    news.notify('a');
    await feed.next(seen, longMs, never);
    expect(feed.count()).toBe(seen + 1);
  });

  it('wakes by itself after a while', async () => {
    await news.follow('a').next(0, 1, never);
  });

  it('does not wait for a client who has gone', async () => {
    await news.follow('a').next(0, longMs, AbortSignal.abort());
  });

  it('keeps nothing of teams that nobody follows', () => {
    news.notify('a');
    expect(news.followed).toBe(0);
    const [one, two] = [news.follow('a'), news.follow('a')];
    one.release();
    one.release();
    expect(news.followed).toBe(1);
    two.release();
    expect(news.followed).toBe(0);
  });
});

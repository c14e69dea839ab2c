// A service of Restate: each step is a call without latency whose answer is kept in the journal.
import { createServer } from 'node:http2';
import { createEndpointHandler, service } from '@restatedev/restate-sdk';

const bench = service({
  name: 'bench',
  handlers: {
    one: (ctx) => ctx.run('finish', () => 'Done.'),
    three: async (ctx) => {
      await ctx.run('read', () => 'Reading');
      await ctx.run('think', () => 'Thinking');
      return ctx.run('finish', () => 'Done.');
    },
  },
});

const [host, port] = process.argv[2].split(':');
createServer(createEndpointHandler({ services: [bench] })).listen(Number(port), host);

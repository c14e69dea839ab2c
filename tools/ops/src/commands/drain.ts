import { setTimeout as delay } from 'node:timers/promises';
import { numberOption, serviceNamed, type Command } from '../command.js';
import { Problem } from '../problem.js';

const lookEveryMs = 100;

/**
 * A replica that gets SIGTERM takes nothing new, ends what it has in hand, hands its runs on with their last step stored,
 * and ends. `npm start` then starts its successor.
 */
export const drain: Command = {
  usage: 'drain SERVICE [--pid PID] [--seconds N]',
  help: 'Lets one process of `npm start` end what it has in hand, and waits for its successor',
  options: ['pid', 'seconds'],
  async run({ surroundings }, given) {
    const service = serviceNamed(given.positionals[0]);
    const processes = surroundings.processesOf(service);
    if (processes.length === 0) {
      throw new Problem(`No ${service} was started here by npm start. On Kubernetes: kubectl delete pod.`);
    }
    const pid = given.options['pid'] === undefined ? processes[0]! : numberOption(given, 'pid', 0);
    if (!processes.includes(pid)) throw new Problem(`${pid} is no process of ${service}.`, 64);
    const endsAt = performance.now() + numberOption(given, 'seconds', 60) * 1_000;
    process.kill(pid, 'SIGTERM');
    const until = async (isSo: () => boolean, what: string) => {
      while (!isSo()) {
        if (performance.now() > endsAt) throw new Problem(what);
        await delay(lookEveryMs);
      }
    };
    const began = performance.now();
    await until(() => !isAlive(pid), `${pid} has not ended yet.`);
    const endedMs = Math.round(performance.now() - began);
    const successor = () => surroundings.processesOf(service).find((one) => !processes.includes(one));
    await until(() => successor() !== undefined, `${pid} has ended; it has no successor yet.`);
    return { rows: [{ service, ended: pid, ms: endedMs, successor: successor() }] };
  },
};

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

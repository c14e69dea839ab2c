import { isPortFree } from '@aos/local-infra';
import { gatewayPorts, type LauncherConfig } from './config.js';
import { StartError } from './start-error.js';

const listenFaults: Record<string, (host: string, port: number) => string> = {
  EACCES: (_, port) => `PORT ${port} is reserved for root; set PORT to a number above 1023`,
  EADDRNOTAVAIL: (host) => `HOST ${host} is not an address of this machine`,
  ENOTFOUND: (host) => `HOST ${host} is not known`,
  EAI_AGAIN: (host) => `HOST ${host} is not known`,
};

/** Found out before anything is started, where it can be told in one line. */
export async function assertGatewayPortsFree(config: LauncherConfig): Promise<void> {
  for (const port of gatewayPorts(config)) {
    if (!(await probe(config.host, port))) {
      throw new StartError([`port ${port} on ${config.host} is already in use; set PORT to another one`]);
    }
  }
}

async function probe(host: string, port: number): Promise<boolean> {
  try {
    return await isPortFree(port, host);
  } catch (error) {
    const say = listenFaults[(error as NodeJS.ErrnoException).code ?? ''];
    throw say ? new StartError([say(host, port)]) : error;
  }
}

import { ping } from '@aos/contracts';
import { ServiceIdentity } from '@aos/platform';
import { Controller } from '@nestjs/common';
import { HandlesInternal } from './rpc/handles.js';

/** Shows that a service answers over the same path that carries its work. */
@Controller()
export class PingController {
  constructor(private readonly identity: ServiceIdentity) {}

  @HandlesInternal(ping)
  async ping(): Promise<{ service: string; replica: string }> {
    return { service: this.identity.service, replica: this.identity.replica };
  }
}

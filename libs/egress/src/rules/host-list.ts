/** Whether a host is among those of a list: `api.example.com`, or `*.example.com` for all below it. */
export function isHostOf(hosts: readonly string[], hostname: string): boolean {
  const name = hostname.toLowerCase();
  return hosts.some((host) => (host.startsWith('*.') ? name.endsWith(host.slice(1)) : name === host));
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentsIn, manifestsIn, root } from './manifests.js';

interface Rule {
  readonly names: readonly string[];
  readonly action: string;
  readonly errnoRet?: number;
  readonly args?: readonly { readonly index: number; readonly value: number; readonly op: string }[];
}

const name = 'chromium-seccomp.json';
const profile = JSON.parse(readFileSync(join(root, 'docker', name), 'utf8')) as {
  defaultAction: string;
  archMap: { architecture: string; subArchitectures: string[] }[];
  syscalls: Rule[];
};
const allowed = profile.syscalls.filter(({ action }) => action === 'SCMP_ACT_ALLOW');
const unconditional = allowed.filter(({ args }) => args === undefined).flatMap(({ names }) => names);
const allNames = allowed.flatMap(({ names }) => names);

/** Calls that the default profile of container runtimes refuses to a container without capabilities. */
const refused = `
  acct add_key bpf clock_settime delete_module fanotify_init finit_module fsconfig fsmount fsopen fspick init_module
  io_uring_enter io_uring_register io_uring_setup ioperm iopl kcmp kexec_file_load kexec_load keyctl lookup_dcookie mount
  mount_setattr move_mount open_by_handle_at open_tree perf_event_open pidfd_getfd pivot_root process_madvise quotactl reboot
  request_key setdomainname sethostname setns settimeofday swapoff swapon syslog umount2 userfaultfd vhangup`
  .trim()
  .split(/\s+/);

/** Calls that the default allows and neither Node nor Chromium needs: they reach into other processes. */
const stricter = ['ptrace', 'process_vm_readv', 'process_vm_writev'];

describe('the seccomp profile of Chromium', () => {
  it('refuses whatever it does not name, and a second set of system calls for 32-bit programs', () => {
    expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO');
    expect(new Set(profile.syscalls.map(({ action }) => action))).toEqual(
      new Set(['SCMP_ACT_ALLOW', 'SCMP_ACT_ERRNO']),
    );
    expect(profile.archMap).toEqual([
      { architecture: 'SCMP_ARCH_X86_64', subArchitectures: [] },
      { architecture: 'SCMP_ARCH_AARCH64', subArchitectures: [] },
    ]);
  });

  it.each([...refused, ...stricter])('does not allow %s', (call) => {
    expect(allNames).not.toContain(call);
  });

  it('allows the namespaces that Chromium makes its walls of, without any condition', () => {
    expect(unconditional).toEqual(expect.arrayContaining(['clone', 'unshare', 'chroot']));
  });

  it('has clone3 missing rather than refused, so that the C library uses clone', () => {
    const rules = profile.syscalls.filter(({ names }) => names.includes('clone3'));
    expect(rules).toMatchObject([{ action: 'SCMP_ACT_ERRNO', errnoRet: 38 }]);
  });

  it('allows sockets of the families that the product uses, and each call once', () => {
    const families = allowed.filter(({ names }) => names.includes('socket'));
    // AF_UNIX, AF_INET, AF_INET6, AF_NETLINK.
    expect(families.map(({ args }) => args)).toEqual(
      [1, 2, 10, 16].map((value) => [{ index: 0, value, op: 'SCMP_CMP_EQ' }]),
    );
    expect(unconditional.length).toBe(new Set(unconditional).size);
  });

  it('is the one that the compose file and the manifests name', () => {
    const { services } = documentsIn('docker/compose.yaml')[0] as {
      services: Record<string, { security_opt?: string[] }>;
    };
    const inCompose = Object.values(services).flatMap(({ security_opt: options = [] }) =>
      options.filter((option) => option.startsWith('seccomp=')),
    );
    expect(inCompose).toEqual([`seccomp=${name}`, `seccomp=${name}`]);
    const profiles = manifestsIn('k8s/base').flatMap(({ manifest }) => {
      const { seccompProfile } = (manifest.spec?.template?.spec?.securityContext ?? {}) as {
        seccompProfile?: { localhostProfile?: string };
      };
      return seccompProfile?.localhostProfile ?? [];
    });
    expect(profiles).toEqual([`aos/${name}`]);
  });
});

describe('the Dockerfile', () => {
  const dockerfile = readFileSync(join(root, 'docker/Dockerfile'), 'utf8');

  it('runs no script of a package that it installs', () => {
    const installs = dockerfile.match(/npm ci[^\n]*/g) ?? [];
    expect(installs).toHaveLength(2);
    for (const command of installs) expect(command).toContain('--ignore-scripts');
  });
});

/** Rules for the `mount` of a share, checked by form, server and agent alike. Each function returns the fault that it finds. */

/** Types of shares: SMB is mounted by `mount.cifs`, NFS by `mount.nfs`. */
export const shareTypes = ['SMB', 'NFS'] as const
export type ShareType = (typeof shareTypes)[number]

/** Options that only change how a share is read, not who reads it or what may run. Sources: mount.cifs(8), nfs(5), mount(8). */
const allowedOptions = [
  'vers',
  'sec',
  'uid',
  'gid',
  'file_mode',
  'dir_mode',
  'iocharset',
  'serverino',
  'noserverino',
  'soft',
  'softerr',
  'seal',
  'actimeo',
  'echo_interval',
  'port',
  'proto',
  'timeo',
  'retrans',
  'retry',
  'nolock',
  'lookupcache',
  'nconnect',
  'noperm',
  'nobrl',
  'mfsymlinks',
  'cache',
  'rsize',
  'wsize',
  'noatime',
  'guest',
  'ro',
  'nosuid',
  'nodev',
  'noexec',
]
const optionValue = /^[\w.:+-]{1,64}$/

/** A host name, an IPv4 address or a bracketed IPv6 address. */
export function hostFault(host: string): string | undefined {
  const isBracketed = /^\[[0-9A-Fa-f:.]+\]$/.test(host)
  const isPlain = /^[A-Za-z0-9._][A-Za-z0-9._-]*$/.test(host)
  return isBracketed || isPlain ? undefined : 'must be a host name, an IPv4 address or an IPv6 address in brackets'
}

/** The name of an SMB share with folders of it, or the absolute path of an NFS export. */
export function shareFault(type: ShareType, share: string): string | undefined {
  if (/[\p{Cc},]/u.test(share)) return 'must not contain commas or control characters'
  if (share.split('/').some((part) => part === '..')) return "must not contain '..'"
  if (type === 'NFS') return share.startsWith('/') ? undefined : 'must be an absolute path'
  const parts = share.split('/')
  const isWrong = parts.some((part) => part === '' || /[\\:*?"<>|]/.test(part))
  return isWrong || share.startsWith('-')
    ? 'must be the name of a share, without a slash at its ends or any of \\ : * ? " < > |'
    : undefined
}

/** Options separated by commas, each of the list above, as `name` or `name=value`. */
export function optionsFault(options: string): string | undefined {
  for (const option of options.split(',').map((word) => word.trim())) {
    if (option === '') continue
    const [name = '', value, ...more] = option.split('=')
    if (!allowedOptions.includes(name)) return `must not contain ${name || option}`
    if (more.length > 0 || (value !== undefined && !optionValue.test(value)))
      return `must have a plain value for ${name}`
  }
  return undefined
}

type Credential = { username: string; password: string; domain: string }
type Mount = { type: ShareType; host: string; shareName: string; options: string; credential: Credential | null }

/** All of the above for what is about to be mounted, with the folder of the share that is scanned. No value is repeated. */
export function mountFault({ type, host, shareName, options, credential }: Mount, path: string): string | undefined {
  const faults = {
    host: hostFault(host),
    'share name': shareFault(type, shareName),
    options: optionsFault(options),
    path: folderFault(path),
    credentials: credential
      ? Object.values(credential)
          .map(lineFault)
          .find((fault) => fault)
      : undefined,
  }
  const [named] = Object.entries(faults).filter(([, fault]) => fault)
  return named?.join(' ')
}

/** A folder of a share, from its root on. */
export function folderFault(path: string): string | undefined {
  if (!path.startsWith('/')) return 'must be an absolute path'
  if (/\p{Cc}/u.test(path)) return 'must not contain control characters'
  return path.split('/').includes('..') ? "must not contain '..'" : undefined
}

/** A line of a credentials file: a line break in it would be another line of that file. */
const lineFault = (text: string): string | undefined =>
  /\p{Cc}/u.test(text) ? 'must not contain control characters' : undefined

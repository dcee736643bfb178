/** Rules for the `mount` of a share, checked by form, server and agent alike. Each function returns the fault that it finds. */

/** Types of shares: SMB is mounted by `mount.cifs`, NFS by `mount.nfs`. */
export const shareTypes = ['SMB', 'NFS'] as const
export type ShareType = (typeof shareTypes)[number]

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

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Accepted options by the manual page that documents them. Those that only the kernel's cifs and nfs document are at the end of a list. */
export const documentedOptions = {
  'mount.cifs(8)': words(`
    uid forceuid gid forcegid idsfromsid port netbiosname servern file_mode dir_mode domainauto guest iocharset ro rw setuids nosetuids
    perm noperm dynperm nodynperm cache nostrictsync handlecache nohandlecache max_cached_dirs handletimeout rwpidforward mapchars
    nomapchars mapposix intr nointr hard soft noacl cifsacl backupuid backupgid nocase ignorecase sec seal esize rdma resilienthandles
    noresilienthandles persistenthandles nopersistenthandles snapshot nobrl forcemandatorylock locallease nolease sfu mfsymlinks
    echo_interval serverino noserverino posix unix linux noposix nounix nolinux nouser_xattr nodfs noautotune nosharesock noblocksend
    rsize wsize bsize max_credits fsc multiuser actimeo acregmax acdirmax upcall_target multichannel max_channels closetimeo
    noposixpaths posixpaths compress vers sloppy directio strictcache nostrictcache
    acl brl dirmode fmask dmask modefromsid noac nodelete nomapposix nomultichannel nosoft nosparse rasize retrans sign strictsync
    tcpnodelay user_xattr witness`),
  'nfs(5)': words(`
    nfsvers vers soft softerr hard softreval nosoftreval intr nointr timeo retrans rsize wsize ac noac acregmin acregmax acdirmin acdirmax
    actimeo bg fg nconnect max_connect rdirplus nordirplus retry sec sharecache nosharecache resvport noresvport lookupcache fsc nofsc
    sloppy xprtsec noalignwrite proto udp tcp rdma port mountport mountproto mountvers namlen lock nolock cto nocto acl noacl local_lock
    minorversion clientaddr migration nomigration trunkdiscovery notrunkdiscovery
    alignwrite bsize v2 v3 v4 v4.0 v4.1 v4.2 write`),
  'mount(8)': words(`
    async sync atime noatime auto noauto defaults diratime nodiratime dirsync nodev noexec nosuid nosymfollow nouser iversion noiversion
    mand nomand nofail relatime norelatime strictatime nostrictatime lazytime nolazytime silent loud ro rw _netdev`),
}
const accepted = new Set(Object.values(documentedOptions).flat())

/** Options that are refused, by the reason. Names that end with a dot are the beginning of names. */
export const refusedOptions = {
  'the sign-in is that of the credentials': words(
    'username user password pass password2 pass2 credentials cred domain dom workgroup cruid',
  ),
  'the agent connects only to the host and share of the storage': words(
    'ip addr srcaddr mounthost mountaddr unc target path prefixpath source',
  ),
  "files of a share get no rights on the agent's machine": words(`
    suid dev exec users owner group bind rbind move remount loop offset sizelimit encryption context fscontext defcontext rootcontext
    helper uhelper rootfs x-mount.`),
}

/**
 * Options that are accepted and not passed on. They only have an effect at the start of a machine, or would contradict the way in
 * which shares are mounted: in the foreground, read-only, and with the sign-in of the credentials.
 */
export const unusedOptions: ReadonlySet<string> = new Set(
  words('auto noauto defaults nofail nouser _netdev bg fg guest ro rw nosuid nodev noexec'),
)

/** Characters of a value. None of them ends an option or a quotation. */
const optionValue = /^[\p{L}\p{N}_.:+@%\\$-]{1,64}$/u
/** Options without a meaning unless they have a value. */
const needValues = new Set(['port', 'sec', 'vers'])

/**
 * Reads options that are separated by commas, with any spaces around them. The value is undefined for an option without one. Of a repeated
 * option, the last one counts and decides the order, as for `mount`.
 */
export function parseOptions(options: string): Map<string, string | undefined> {
  const parsed = new Map<string, string | undefined>()
  for (const option of options.split(',').filter((text) => text.trim() !== '')) {
    const [name = '', ...rest] = option.split('=')
    parsed.delete(name.trim())
    parsed.set(name.trim(), rest.length === 0 ? undefined : rest.join('=').trim())
  }
  return parsed
}

/** Returns the fault of options that are not documented, or would give files of a share rights or lead its sign-in elsewhere. */
export function optionsFault(options: string): string | undefined {
  // Each one, since an earlier one of a repeated option has to be valid too.
  for (const option of options.split(',')) {
    const [entry] = parseOptions(option)
    const fault = entry && faultOf(...entry)
    if (fault) return fault
  }
  return undefined
}

function faultOf(name: string, value: string | undefined): string | undefined {
  const [reason] = Object.entries(refusedOptions).find(([, names]) => names.some((one) => isNamed(name, one))) ?? []
  if (reason) return `must not contain ${name}: ${reason}`
  if (!accepted.has(name)) return `must not contain ${name || '='}, which mount.cifs(8) and nfs(5) do not document`
  if (value === undefined) return needValues.has(name) ? `must have a value for ${name}` : undefined
  return optionValue.test(value) ? undefined : `must have a plain value for ${name}`
}

/** In any case: `mount` knows no other spelling, but the reason is the same. */
function isNamed(name: string, refused: string): boolean {
  const lower = name.toLowerCase()
  return refused.endsWith('.') ? lower.startsWith(refused) : lower === refused
}

/** Versions from 2.1 on, with the word that negotiates the highest of them. Any other text may be an older one. */
const safeVersions = new Set(['2.1', '3', '3.0', '3.02', '3.0.2', '3.1.1', '3.11', 'default'])

/**
 * The way in which the password of an SMB share is sent, as far as options change it: its port ('' for the default), its security mode,
 * and its version ('default' for any from 2.1 on). Equal for options that are equal for the kernel, which reads numbers of base 8, 10 and 16.
 */
export function secretWay(options: string): { port: string; sec: string; vers: string } {
  const parsed = parseOptions(options)
  const vers = parsed.get('vers') ?? 'default'
  return {
    port: portOf(parsed.get('port') ?? ''),
    sec: parsed.get('sec') ?? 'ntlmssp',
    vers: safeVersions.has(vers) ? 'default' : vers,
  }
}

function portOf(text: string): string {
  const [, digits = ''] = /^\+?(0x[\da-f]+|\d+)$/i.exec(text) ?? []
  const octal = /^0[0-7]+$/.test(digits) ? digits.replace(/^0/, '0o') : digits
  return digits === '' ? text : String(Number(octal))
}

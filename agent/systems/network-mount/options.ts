import type { ShareMount } from '#events/scans.ts'

/** What is asked for unless the storage asks for something else. A share that dies gives errors instead of hanging. */
const usual: Record<ShareMount['type'], readonly string[]> = {
  SMB: ['iocharset=utf8', 'soft'],
  // Nothing is ever locked, and without statd version 3 could not be.
  NFS: ['soft', 'timeo=150', 'retrans=3', 'retry=0', 'proto=tcp', 'nolock'],
}
/** Last, so that they count: nothing of a share is changed, and nothing of it runs. */
const safety = ['ro', 'nosuid', 'nodev', 'noexec']
/** Whether somebody signs in is told by the credentials alone. */
const ours = new Set([...safety, 'guest'])

/** What a share is called, to `mount` and to people: '//nas/media', 'nas:/export'. */
export const sourceOf = ({ type, host, shareName }: Pick<ShareMount, 'type' | 'host' | 'shareName'>): string =>
  // mount.cifs looks the host up as it stands, so that an IPv6 address has no brackets there.
  type === 'SMB' ? `//${host.replace(/^\[(.*)\]$/, '$1')}/${shareName}` : `${host}:${shareName}`

/** The words after `mount -o`. The file holds who signs in; a share of SMB without one is asked as a guest. */
export function optionsOf({ type, options }: ShareMount, credentialsFile: string | undefined): string {
  const asked = options.split(',').map((option) => option.trim())
  const chosen = new Map<string, string>()
  for (const option of [...usual[type], ...asked]) {
    const [name = ''] = option.split('=')
    if (name !== '' && !ours.has(name)) chosen.set(name, option)
  }
  const signIn = credentialsFile === undefined ? 'guest' : `credentials=${credentialsFile}`
  return [...chosen.values(), ...(type === 'SMB' ? [signIn] : []), ...safety].join(',')
}

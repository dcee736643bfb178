import { cleanLine } from '#events/contract/cleanText.ts'
import type { ShareMount } from '#events/sources/networkShares.ts'
import type { SourceField } from '#events/sources/sourceField.ts'
import { atField, ScanFailed } from '../system.ts'
import { type ProgramExit, sourceOf } from './mountCommand.ts'

type Case = {
  numbers?: number[]
  words: RegExp
  reason: (mount: ShareMount) => string
  /** Input that is wrong; undefined if the agent's machine is. */
  field?: SourceField | ((mount: ShareMount) => SourceField)
}

const packages = { SMB: 'cifs-utils', NFS: 'nfs-common' }
const mayMount = 'it has to run as root, or with the capability SYS_ADMIN'
const modules = { SMB: 'cifs', NFS: 'nfs' }

/** In this order: wordings differ by version, so that numbers in brackets count before words. */
const cases: Case[] = [
  {
    words: /helper program|mount\.(cifs|nfs): (not found|no such file)/i,
    reason: ({ type }) =>
      `The agent's machine has no program to mount ${type} shares with: install ${packages[type]} (or what your system calls it)`,
  },
  {
    // mount.nfs says the last where the name server does not answer.
    words: /could not resolve|failed to resolve|name or service not known|resource temporarily unavailable/i,
    reason: ({ host }) => `The agent can't find the host "${host}". Check the name, or DNS on the agent's machine.`,
    field: 'host',
  },
  {
    numbers: [13, 126, 127, 128, 129],
    words: /access denied by server|mount error.*permission denied|mount\.(cifs|nfs):.*permission denied/i,
    field: ({ type }) => (type === 'NFS' ? 'shareName' : 'credentials'),
    reason: (mount) =>
      mount.type === 'NFS'
        ? `The server does not let the agent's machine mount ${sourceOf(mount)}`
        : mount.credential
          ? `The user name or the password for ${sourceOf(mount)} is wrong, or this user has no right to the share`
          : `${sourceOf(mount)} does not let guests in: choose credentials`,
  },
  {
    numbers: [2, 6, 116],
    words: /no such file or directory|no such device or address|stale (nfs )?file handle|bad network name/i,
    reason: (mount) => `There is no share ${sourceOf(mount)}`,
    field: 'shareName',
  },
  {
    numbers: [111],
    words: /connection refused/i,
    reason: ({ host, type }) => `The host ${host} refused the connection: no ${type} server answers there`,
    field: 'host',
  },
  {
    numbers: [110, 115],
    words: /timed out|operation now in progress/i,
    reason: (mount) => timedOutReason(mount),
    field: 'host',
  },
  {
    numbers: [101, 112, 113],
    words: /host is down|no route to host|network is unreachable/i,
    reason: ({ host, type }) =>
      `The host ${host} cannot be reached${type === 'SMB' ? ', or speaks another version of SMB' : ''}`,
    field: 'host',
  },
  {
    numbers: [93, 95],
    words: /protocol not supported|operation not supported|requested NFS version/i,
    reason: ({ host, type }) => `The host ${host} does not speak the version of ${type} set in the options`,
    field: 'options',
  },
  {
    numbers: [19],
    words: /unknown filesystem type|no such device/i,
    reason: ({ type }) =>
      `The kernel of the agent's machine cannot mount ${type} shares: its module ${modules[type]} is missing`,
  },
  {
    numbers: [79],
    words: /needed shared library/i,
    reason: () => "The kernel of the agent's machine has no UTF-8 for names: its module nls_utf8 is missing",
  },
  {
    numbers: [1],
    words: /must be superuser|only root|operation not permitted|not installed setuid|^mount: .*permission denied/im,
    reason: (mount) =>
      mount.type === 'NFS'
        ? `The agent may not mount ${sourceOf(mount)}: ${mayMount}, or the server asks for other security (option sec)`
        : `The agent has no right to mount: ${mayMount}`,
  },
  {
    numbers: [22],
    words: /(incorrect|bad|invalid|wrong) (mount )?(option|argument|fs type)|bad usage|usage:/i,
    reason: ({ options, type }) => `${type} does not take these options: ${options || '(none)'}`,
    field: 'options',
  },
]

const timedOutReason = (mount: ShareMount): string =>
  `The host ${mount.host} did not answer in time when ${sourceOf(mount)} was mounted`

/** The reason why `mount` failed. Its own message follows if the case is not a known one, without the password. */
export function whyNotMounted(mount: ShareMount, { stderr, timedOut }: ProgramExit): ScanFailed {
  if (timedOut) return atField(new ScanFailed(timedOutReason(mount)), 'host')
  const [, number] = /error ?\((\d{1,4})\)/.exec(stderr) ?? []
  const byNumber = cases.find(({ numbers }) => numbers?.includes(Number(number)))
  const { reason, field } = byNumber ?? cases.find(({ words }) => words.test(stderr)) ?? {}
  const failure = new ScanFailed(reason?.(mount) ?? `${sourceOf(mount)} cannot be mounted: ${plain(stderr, mount)}`)
  return atField(failure, typeof field === 'function' ? field(mount) : field)
}

/** In one line and without the password, should a program ever say it. */
function plain(stderr: string, { credential }: ShareMount): string {
  const [first = ''] = stderr.trim().split('\n')
  const secret = credential?.password ?? ''
  const shown = secret === '' ? first : first.replaceAll(secret, '…')
  return cleanLine(shown, 300) || 'mount gave no reason'
}

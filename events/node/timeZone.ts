import { lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { textOf } from './textOf.ts'

/** Name of a time zone that this program, the engine and browsers know, and the source it was found in. */
export type TimeZone = { name: string; source: string; warning?: string }

type Places = { env?: NodeJS.ProcessEnv; root?: string }

/**
 * The time zone of this machine: `TZ`, else the link or content of /etc/localtime, else /etc/timezone, else UTC with a
 * warning. Throws a sentence that names TZ if it is set to an unknown zone. An empty TZ counts as not set.
 */
export function findTimeZone({ env = process.env, root = '/' }: Places = {}): TimeZone {
  const wanted = env['TZ']?.trim()
  if (wanted) return { name: zoneOf(wanted, root) ?? refuse(wanted), source: 'TZ' }
  const localtime = zoneOfFile('/etc/localtime', root)
  if (localtime) return { name: localtime, source: '/etc/localtime' }
  const timezone = known(firstLineOf(join(root, '/etc/timezone')))
  if (timezone) return { name: timezone, source: '/etc/timezone' }
  const warning =
    'The time zone of this machine is not known, so days begin at midnight UTC. Set TZ to a name such as Europe/Berlin.'
  return { name: 'UTC', source: 'default', warning }
}

function refuse(wanted: string): never {
  throw new Error(
    `TZ: ${wanted} is not the name of a time zone. Use a name such as Europe/Berlin or UTC, or leave TZ empty for the time zone of the machine`,
  )
}

/** Reads what TZ may contain: a name, a file as `:/etc/localtime`, or a fixed offset in POSIX form, such as `EST5`. */
function zoneOf(text: string, root: string): string | undefined {
  const value = text.replace(/^:/, '')
  if (value.startsWith('/')) return zoneOfFile(value, root)
  return known(value.replace(/^(posix|right)\//, '')) ?? fixedOffset(value)
}

/** POSIX counts hours west of Greenwich, as names such as Etc/GMT+5 do. */
function fixedOffset(text: string): string | undefined {
  const [, sign = '', hours = ''] = /^(?:<[^<>]+>|[A-Za-z]{3,})([+-]?)0?(\d{1,2})(?::?00)?$/.exec(text) ?? []
  if (hours === '') return undefined
  return Number(hours) === 0 ? 'UTC' : known(`Etc/GMT${sign || '+'}${hours}`)
}

/** The name in the path that a link leads to, or of the zone that has the same content. */
function zoneOfFile(path: string, root: string): string | undefined {
  const file = join(root, path)
  return nameInPath(path) ?? nameInPath(linkOf(file)) ?? nameInPath(realPathOf(file)) ?? zoneWithContent(file, root)
}

const nameInPath = (path: string): string | undefined =>
  known(/(?:^|\/)zoneinfo(?:\.default)?\/(?:posix\/|right\/)?(.+)$/.exec(path)?.[1] ?? '')

/** Containers often get /etc/localtime as a file. Prefers the name in /etc/timezone among zones of the same content. */
function zoneWithContent(file: string, root: string): string | undefined {
  const content = bytesOf(file)
  if (!content) return undefined
  const named = known(firstLineOf(join(root, '/etc/timezone')))
  const candidates = [...(named ? [named] : []), 'UTC', ...Intl.supportedValuesOf('timeZone')]
  return candidates.find((name) => bytesOf(join(root, '/usr/share/zoneinfo', name))?.equals(content))
}

/** The canonical name; undefined for other texts. Offsets such as +03:00 are unknown to the engine. */
function known(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

const linkOf = (file: string): string => orElse(() => (lstatSync(file).isSymbolicLink() ? readlinkSync(file) : ''), '')
const realPathOf = (file: string): string => orElse(() => realpathSync(file), '')
const bytesOf = (file: string): Buffer | undefined => orElse(() => readFileSync(file), undefined)
const firstLineOf = (file: string): string =>
  textOf(file)
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .find((line) => line !== '') ?? ''

function orElse<T>(read: () => T, instead: T): T {
  try {
    return read()
  } catch {
    return instead
  }
}

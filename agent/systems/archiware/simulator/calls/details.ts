import type { Answer } from '#agent/simulator/answers.ts'
import { answered, emptyText, Refused, spelling } from '../answers.ts'
import { type P5, planOf } from '../contents/p5.ts'
import { doneBytes } from '../jobs/jobs.ts'
import type { Call } from './call.ts'

/** `GET general/srvinfo`. */
export function serverInfo({ behavior, clock }: P5): Answer {
  const { number } = spelling(behavior)
  return answered({
    address: '127.0.0.1',
    hostname: 'p5.example',
    port: number(8_000),
    server: 'lexxsrv',
    version: '8.0.4',
    lexxvers: '8.0.4',
    platform: 'linux',
    hostid: '5A3C0001',
    buildstamp: '2026-01-15',
    uptime: number(Math.floor(clock.now() / 1_000) % 1_000_000),
    home: '/usr/local/aw',
  })
}

/** `GET general/clients/{id}`. */
export function clientDetails({ clients, behavior }: P5, { params }: Call): Answer {
  const client = clients.get(params[0] ?? '')
  if (!client) throw new Refused(404, {})
  const { boolean, number } = spelling(behavior)
  const { name, description, hostname, port, isThin } = client
  const isthin = boolean(isThin)
  return answered({ ID: name, description: description || emptyText, hostname, port: number(port), isthin })
}

/** `POST general/clients/{id}`: pings a client. */
export function pingClient({ clients }: P5, { params }: Call): Answer {
  const client = clients.get(params[0] ?? '')
  if (!client) throw new Refused(404, {})
  if (!client.isOnline) throw new Refused(500, `Client "${client.name}" does not respond`)
  return answered({})
}

/** `GET archive/plans/{id}`. The spelling of all but the first two properties is a switch. */
export function planDetails(p5: P5, { params }: Call): Answer {
  const plan = planOf(p5, params[0] ?? '')
  const { planProperties } = p5.behavior
  const { boolean, number } = spelling(p5.behavior)
  const properties = {
    database: plan.index,
    pool: plan.pool,
    incrLevel: number(Number(plan.isIncremental)),
    autoStart: boolean(false),
    deleteFiles: boolean(plan.deletesFiles),
    deleteAll: boolean(plan.deletesAll),
  }
  const spelled = Object.entries(properties).map(([name, value]) => {
    if (planProperties === 'camel') return [name, value]
    return [planProperties === 'lower' ? name.toLowerCase() : name.toUpperCase(), value]
  })
  const common = { ID: plan.id, description: plan.name || emptyText, enabled: boolean(plan.isEnabled) }
  return answered({ ...common, ...Object.fromEntries(spelled) })
}

/** `GET general/volumes/{id}`. */
export function volumeDetails({ volumes, behavior }: P5, { params }: Call): Answer {
  const volume = volumes.get(params[0] ?? '')
  if (!volume) throw new Refused(404, {})
  const { boolean, number } = spelling(behavior)
  const { id, label, barcode, location, mode, state, usage, mediaType, usedAt } = volume
  return answered({
    ID: id,
    label,
    barcode: barcode ?? emptyText,
    isonline: boolean(volume.isOnline),
    location: location ?? emptyText,
    mode,
    state,
    usage,
    mediatype: mediaType,
    totalsize: number(volume.totalKb),
    usedsize: number(volume.usedKb),
    usecount: number(volume.useCount),
    usetime: number(volume.useCount * 3_600),
    dateused: usedAt === undefined ? emptyText : number(usedAt),
    dateexpires: emptyText,
  })
}

/** `GET archive/overview`: finished archive jobs, without their plans, and the use of pools. */
export function overview({ jobs, volumes }: P5): Answer {
  const archived = jobs.all().filter(({ kind, finishedAt }) => kind === 'Archive' && finishedAt !== undefined)
  const pools = Map.groupBy(volumes.values(), ({ pool }) => pool)
  return answered({
    'Archive Overview': archived.map((job) => ({
      pool: job.pool,
      'start time': timeText(job.createdAt),
      'finish time': timeText(job.finishedAt ?? job.createdAt),
      status: job.completion ?? job.status,
      sizeKbytes: Math.ceil(doneBytes(job) / 1_024),
      client: job.client,
      directories: [...new Set(job.files.map(({ path }) => path.slice(0, path.lastIndexOf('/'))))],
    })),
    'Pool Usage': [...pools].map(([name, ofPool]) => {
      const totalBytes = ofPool.reduce((sum, { totalKb }) => sum + totalKb, 0) * 1_024
      const usedBytes = ofPool.reduce((sum, { usedKb }) => sum + usedKb, 0) * 1_024
      const usedPercent = totalBytes === 0 ? 0 : Math.round((100 * usedBytes) / totalBytes)
      const summary = `${usedPercent}% of ${ofPool.length} volumes`
      return { name, usedBytes, totalBytes, freeBytes: totalBytes - usedBytes, usedPercent, summary }
    }),
  })
}

const timeText = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

import { type Answer, answered, refused } from '#agent/simulator/answers.ts'
import { emptyText, spelling } from '../answers.ts'
import { type P5, planOf } from '../contents/p5.ts'
import type { Call } from './call.ts'

/** `GET general/clients/{id}`. */
export function clientDetails({ clients, behavior }: P5, { params: [id = ''] }: Call): Answer {
  const client = clients.get(id)
  if (!client) throw refused(404, {})
  const { boolean, number } = spelling(behavior)
  const { name, description, hostname } = client
  return answered({
    ID: name,
    description: description || emptyText,
    hostname,
    port: number(8_001),
    isthin: boolean(false),
  })
}

/** `GET archive/plans/{id}`. The spelling of all but the first properties is a switch. */
export function planDetails(p5: P5, { params: [id = ''] }: Call): Answer {
  const plan = planOf(p5, id)
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
export function volumeDetails({ volumes, behavior }: P5, { params: [id = ''] }: Call): Answer {
  const volume = volumes.get(id)
  if (!volume) throw refused(404, {})
  const { boolean, number } = spelling(behavior)
  return answered({
    ID: id,
    label: volume.label,
    barcode: emptyText,
    isonline: boolean(volume.isOnline),
    location: emptyText,
    mode: 'Appendable',
    state: 'Ok',
    usage: 'Archive',
    mediatype: 'TAPE',
    totalsize: number(11_718_750_000),
    usedsize: number(1_171_875_000),
    usecount: number(12),
    usetime: number(43_200),
    dateused: emptyText,
    dateexpires: emptyText,
  })
}

import { fillIndex, startArchiware } from '#agent/systems/archiware/simulator/index.ts'
import type { Simulated, SimulateOptions } from './options.ts'

/**
 * Starts an Archiware P5 with a filled index, two plans and two clients. All paths of its clients exist, and it writes nothing: archived and
 * restored files are made up.
 */
export async function simulateP5({ entries, port = 8_000, log }: SimulateOptions): Promise<Simulated> {
  const p5 = await startArchiware({ port, onAnswer: log, behavior: { job: { runningMs: 20_000 } } })
  fillIndex(p5.addIndex('Media'), entries)
  p5.addPlan('10002', { name: 'Archive media and delete the source', index: 'Media', deletesFiles: true })
  p5.addClient('studio', { description: 'Edit suite' })
  for (let i = 2; i <= 7; i++) p5.addVolume(String(10_100 + i), { label: `Archive.000${i}`, isOnline: i < 7 })
  return { Address: p5.url, User: p5.user, Password: p5.password, Index: `Media, ${entries} entries` }
}

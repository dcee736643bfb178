import type { P5Report } from './archiving.ts'
import { startArchiware } from '#agent/systems/archiware/simulator/index.ts'

// A P5 server whose client `studio` sees a folder, in a separate process. Answers any message with its report.
const [folder = ''] = process.argv.slice(2)
let requests = 0
const p5 = await startArchiware({ clock: { speed: 100 }, onAnswer: () => requests++ })
p5.addPlan('20001', { name: 'Bench' })
p5.addClient('studio', { folders: { [folder]: folder } })
const tell = () => {
  const archived = p5.jobs.all().reduce((sum, job) => sum + job.files.length, 0)
  const told: P5Report = { url: p5.url, user: p5.user, password: p5.password, requests, archived }
  process.send?.(told)
}
process.on('message', tell)
process.on('disconnect', () => process.exit(0))
tell()

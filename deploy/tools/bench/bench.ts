import { runTool, type Tools } from '../kit/tool.ts'

/** `npm run bench -- NAME` runs one of these in a process of its own, and without a name, or with a number of files, `tree`. */
const benches: Tools = {
  tree: () => import('./scans/tree.ts'),
  imports: () => import('./scans/imports.ts'),
  media: () => import('./scans/media.ts'),
  slow: () => import('./slow/slow.ts'),
  objects: () => import('./systems/objects.ts'),
  powerscale: () => import('./systems/powerScale.ts'),
  archiving: () => import('./systems/archiving.ts'),
  changes: () => import('./changes/changes.ts'),
  questions: () => import('./questions/questions.ts'),
  projects: () => import('./questions/projects.ts'),
  simulations: () => import('./questions/simulations.ts'),
  reports: () => import('./reports/reports.ts'),
  replay: () => import('./replay/replay.ts'),
  live: async () => ({ tool: (await import('./live/live.ts')).live }),
  feeds: () => import('./live/feeds.ts'),
  replicas: async () => ({ tool: (await import('./live/live.ts')).replicas }),
  wall: () => import('./screens/wall.ts'),
  screens: () => import('./screens/screens.ts'),
}

const args = process.argv.slice(2)
await runTool(benches, /^[a-z]/.test(args[0] ?? '') ? args : ['tree', ...args])
